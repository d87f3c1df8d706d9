// Links to records, and times.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { copyText } from '../state/copyText.ts';
import { useIsPublic } from '../state/scope.ts';
import { abbreviate, uuidOf } from '../text/names.ts';
import { toAgo, toLocal, toUtc } from '../text/times.ts';

const PAGES: Readonly<Record<string, string>> = {
  assets: '/assets',
  locations: '/locations',
  compliance_policies: '/policies',
};
const PUBLIC_PAGES: Readonly<Record<string, string>> = { assets: '/p/assets' };

/**
 * The page of an identity such as `assets/<uuid>/events/<uuid>`; undefined where there is none.
 * @param isPublic whether it is the one that everybody sees.
 */
export const toPage = (identity: string, isPublic: boolean): string | undefined => {
  const [collection = '', ...rest] = identity.split('/');
  const page = (isPublic ? PUBLIC_PAGES : PAGES)[collection];
  return page === undefined ? undefined : `${page}/${rest.join('/')}`;
};

/** An identity, abbreviated; the whole of it on hover. */
export const Identity = ({ identity, children }: { identity: string; children?: ComponentChildren }) => {
  const page = toPage(identity, useIsPublic());
  const text = children ?? <code>{abbreviate(identity)}</code>;
  return page === undefined ? (
    <span title={identity}>{text}</span>
  ) : (
    <a href={page} title={identity}>
      {text}
    </a>
  );
};

/** A link to the events that filters match; only the text on public pages, which have no such list. */
export const EventsLink = ({
  filters,
  title,
  children,
}: {
  filters: Readonly<Record<string, string>>;
  title?: string;
  children: ComponentChildren;
}) =>
  useIsPublic() ? (
    <span title={title}>{children}</span>
  ) : (
    <a href={`/events?${new URLSearchParams(filters)}`} title={title}>
      {children}
    </a>
  );

/** A block by its height, with a link to its page; only the height on public pages. */
export const BlockLink = ({ number }: { number: number }) =>
  useIsPublic() ? (
    <span>{number.toLocaleString()}</span>
  ) : (
    <a href={`/node/blocks/${number}`}>{number.toLocaleString()}</a>
  );

/** A transaction by the first digits of its hash, with a link to its events. */
export const TransactionLink = ({ hash }: { hash: string }) => (
  <EventsLink filters={{ transaction_id: hash }} title={`Events of the transaction ${hash}`}>
    <code>{abbreviate(hash)}</code>
  </EventsLink>
);

const shorten = (text: string): string => (text.length > 24 ? `${text.slice(0, 12)}…${text.slice(-6)}` : uuidOf(text));

/**
 * Text that is longer than its place, such as a hash: whole on hover, and copied by a click. Where a page can't copy,
 * it is shown whole instead.
 */
export const Copied = ({ text }: { text: string }) => {
  const [state, setState] = useState<'short' | 'copied' | 'whole'>('short');
  const copy = (): void => {
    copyText(text).then(
      () => setState('copied'),
      () => setState('whole'),
    );
  };
  if (state === 'whole') return <code>{text}</code>;
  return (
    <span>
      <button type="button" class="copied" title={`${text}\nClick to copy`} onClick={copy}>
        <code>{shorten(text)}</code>
      </button>
      <span class="hint" aria-live="polite">
        {state === 'copied' ? ' copied' : ''}
      </span>
    </span>
  );
};

/** A time, local, with UTC on hover. `nowMs`: how long ago it is, instead. */
export const Time = ({ timestamp, nowMs }: { timestamp: string; nowMs?: number }) => (
  <time dateTime={timestamp} title={`${toUtc(timestamp)} · ${toLocal(timestamp)}`}>
    {nowMs === undefined ? toLocal(timestamp) : toAgo(timestamp, nowMs)}
  </time>
);
