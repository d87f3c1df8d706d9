// The secret of an application, which the server shows once.
import { useEffect, useRef } from 'preact/hooks';
import type { ApplicationAnswer } from '../api/admin.ts';
import { CopyField } from '../components/copyField.tsx';

/** Shows it until the reader says that it is kept, or leaves the page. It isn't stored anywhere. */
export const SecretNote = ({ application, onKept }: { application: ApplicationAnswer; onKept: () => void }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [application]);
  return (
    <section class="note secret">
      <h2 tabIndex={-1} ref={heading}>
        Secret of <bdi>{application.display_name}</bdi>
      </h2>
      <p>Copy the secret now: it is never shown again. The ledger has only its hash.</p>
      <CopyField label="Client id" text={application.client_id} />
      <CopyField label="Client secret" text={application.credentials[0]!.secret} />
      <button type="button" onClick={onKept}>
        I have kept the secret
      </button>
    </section>
  );
};
