// A link to a record by its name.
import { findName } from '../api/recordNames.ts';
import { useIsPublic } from '../state/scope.ts';
import { useLoad } from '../state/useLoad.ts';
import { abbreviate } from '../text/names.ts';
import { Identity } from './links.tsx';

/**
 * The link to an asset, an event, a location or a policy. Until its name is there, and where it can't be read, by the
 * first digits of its identity.
 */
export const NamedLink = ({ identity }: { identity: string }) => {
  const isPublic = useIsPublic();
  const { value } = useLoad(`${isPublic} ${identity}`, () => findName(identity, isPublic));
  return (
    <Identity identity={identity}>
      <span dir="auto">{value ?? abbreviate(identity)}</span>
    </Identity>
  );
};
