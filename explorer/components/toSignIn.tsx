// A link to the page to sign in, which leads back to this one.
import type { ComponentChildren } from 'preact';
import { useSignInAddress } from '../state/signInAddress.ts';

/** The link, with its text. */
export const ToSignIn = ({ children }: { children: ComponentChildren }) => <a href={useSignInAddress()}>{children}</a>;
