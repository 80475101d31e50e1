/** The texts of options of `trunks add`: what a trunk writes in From, and its registration. */
export const trunkOptionTexts = {
  fromName: 'display name in From of outbound calls',
  fromUser: 'user part of From in outbound calls; default: the caller ID',
  registers: 'register the user name at a PBX or carrier, as a phone does',
  registrar: 'where to register; default: host and port of the trunk',
  registerExpires: 'seconds for which a registration is asked',
};
