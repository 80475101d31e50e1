/** Mantine's button and text link, wired to the router's typed addresses. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';

type ElementProps<Styles> = Styles & Omit<ComponentPropsWithRef<'a'>, keyof Styles>;

function ButtonElement(props: ElementProps<ButtonProps>): ReactNode {
  return <Button component="a" {...props} />;
}

function TextElement(props: ElementProps<AnchorProps>): ReactNode {
  return <Anchor {...props} />;
}

function BackElement(props: ElementProps<AnchorProps>): ReactNode {
  return <Anchor c="dimmed" size="sm" {...props} />;
}

/** A link that looks like a button. */
export const LinkButton = createLink(ButtonElement);

/** A link within text. */
export const TextLink = createLink(TextElement);

/** The link above a page's title, to the page above it. */
export const BackLink = createLink(BackElement);
