// URLs of this machine.
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether the host of a URL, or of a page's location, is this machine. */
export const isLoopback = ({ hostname }: { readonly hostname: string }): boolean => LOOPBACK.test(hostname);
