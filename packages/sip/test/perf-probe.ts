import { UserAgent } from '../src/user-agent.ts';
import { randomBytes } from 'node:crypto';
const mk = (host: string) => new UserAgent({ address: { host, port: 5060 }, userAgent: 'T', random: randomBytes });
const at = (host: string) => ({ transport: 'udp', host, port: 5060, connectionId: null }) as const;
const a = mk('10.0.0.1'), b = mk('10.0.0.2');
const agents: Record<string, UserAgent> = { '10.0.0.1': a, '10.0.0.2': b };
let now = 0; let ended = 0; let msgs = 0;
function settle() {
  for (let busy = true; busy; ) {
    busy = false;
    for (const [host, agent] of Object.entries(agents)) for (const x of agent.takeActions()) {
      busy = true;
      if (x.type === 'send') { msgs++; agents[x.destination.host]?.receive(x.bytes, at(host), now); }
      else if (x.type === 'incoming') { b.ring(x.call, now); b.answer(x.call, { host, port: 4000 }, now); }
      else if (x.type === 'call' && x.event.type === 'answered' && host === '10.0.0.1') a.hangUp(x.call, now);
      else if (x.type === 'call' && x.event.type === 'ended') ended++;
    }
  }
}
const N = 20000;
const t0 = process.cpuUsage();
for (let i = 0; i < N; i++) {
  now += 2; // 500 calls/s
  a.advance(now); b.advance(now);
  a.invite({ callId: `c${i}`, from: { uri: 'sip:+1@10.0.0.1' }, toUri: 'sip:+2@10.0.0.2', destination: at('10.0.0.2'), media: { host: '10.0.0.1', port: 4000 } }, now);
  settle();
}
const u = process.cpuUsage(t0);
console.log({ ended, msgs, usPerCallBothEnds: (u.user + u.system) / N, load: a.load(), loadB: b.load(), rss: process.memoryUsage().rss >> 20 });
now += 100000; a.advance(now); b.advance(now); settle(); now += 100000; a.advance(now); b.advance(now);
console.log(a.load(), b.load());
