// A QR code that is loaded and drawn when a reader opens it.
import { useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { isLoopback } from '../../ledger/loopback.ts';

const QrCode = lazy(() => import('./qrCode.tsx'));

/** The address of a page of this origin as a QR code. `name`: name of the file without `.svg`, if it is saved. */
export const QrDetails = ({ path, name }: { path: string; name: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>QR code</summary>
      {isOpen ? <QrCode address={`${location.origin}${path}`} name={name} /> : null}
      {isOpen && isLoopback(location) ? (
        <p class="hint">Only this machine can open this address. Open this page by the server’s public name first.</p>
      ) : null}
    </details>
  );
};
