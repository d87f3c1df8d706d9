// AttributeMap of an asset or an event as a table.
import type { AttributeMap } from '../api/client.ts';
import { isNamedIdentity } from '../api/recordNames.ts';
import { useIsPublic } from '../state/scope.ts';
import { isAttachment, toLine } from '../text/values.ts';
import { toPage } from './links.tsx';
import { NamedLink } from './namedLink.tsx';

const Value = ({ value }: { value: AttributeMap[string] }) => {
  const isPublic = useIsPublic();
  const isLinked = typeof value === 'string' && isNamedIdentity(value) && toPage(value, isPublic) !== undefined;
  return isLinked ? <NamedLink identity={value} /> : <span dir="auto">{toLine(value)}</span>;
};

/**
 * A table of names and values, by name, without those that attach files.
 * @param changed names that are marked as new.
 */
export const AttributeTable = ({ attributes, changed }: { attributes: AttributeMap; changed?: AttributeMap }) => (
  <table class="attributes">
    <tbody>
      {Object.entries(attributes)
        .filter(([name, value]) => !isAttachment(name, value))
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, value]) => (
          <tr key={name} class={changed?.[name] === undefined ? undefined : 'changed'}>
            <th scope="row" dir="auto">
              {name}
            </th>
            <td>
              <Value value={value} />
            </td>
          </tr>
        ))}
    </tbody>
  </table>
);
