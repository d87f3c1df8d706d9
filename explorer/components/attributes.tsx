// AttributeMap of an asset or an event as a table.
import type { AttributeMap } from '../api/client.ts';
import { useIsPublic } from '../state/scope.ts';
import { isAttachment, toLine } from '../text/values.ts';
import { toPage } from './links.tsx';

const Value = ({ value }: { value: AttributeMap[string] }) => {
  const line = toLine(value);
  const isPublic = useIsPublic();
  const page =
    typeof value === 'string' && /^(?:assets|locations|compliance_policies)\/[0-9a-f-]{36}/.test(value)
      ? toPage(value, isPublic)
      : undefined;
  return page === undefined ? <span dir="auto">{line}</span> : <a href={page}>{line}</a>;
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
