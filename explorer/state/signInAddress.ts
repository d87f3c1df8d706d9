// The address of the page to sign in, which keeps where to go afterwards.
import { useLocation } from 'preact-iso';

const PATH = '/sign-in';
const PARAMETER = 'to';

const isHere = (address: string): boolean =>
  address.startsWith('/') && URL.parse(address, location.origin)?.origin === location.origin;

/** The address of the page to sign in that leads back to this page. */
export const useSignInAddress = (): string => {
  const { path, url } = useLocation();
  return path === PATH || url === '/' ? PATH : `${PATH}?${new URLSearchParams({ [PARAMETER]: url })}`;
};

/** Where one goes after sign-in: to this page itself, unless it is the one to sign in. Never to another server. */
export const useReturnAddress = (): string => {
  const { path, url, query } = useLocation();
  if (path !== PATH) return url;
  const to = query[PARAMETER] ?? '/';
  return isHere(to) && !to.startsWith(PATH) ? to : '/';
};
