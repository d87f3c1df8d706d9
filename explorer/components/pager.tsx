// The steps between the pages of a list: each page has an address of its own.
import { useAddress } from '../state/address.ts';

/** Links to the first and to the next page. `next`: the token of the next page; empty on the last one. */
export const Pager = ({ next }: { next: string }) => {
  const { parameters, toLink } = useAddress();
  const isFirst = !parameters.has('page_token');
  if (isFirst && next === '') return null;
  return (
    <nav class="pager" aria-label="Pages">
      {isFirst ? <span /> : <a href={toLink({ page_token: undefined })}>First page</a>}
      {next === '' ? <span /> : <a href={toLink({ page_token: next })}>Next page</a>}
    </nav>
  );
};
