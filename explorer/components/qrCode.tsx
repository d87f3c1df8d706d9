// The address of a page as a QR code, to print on the thing itself.
import { renderSVG } from 'uqr';
import { saveFile } from '../state/saveFile.ts';

/** A quarter of the code may be dirty or torn. */
const CORRECTION = 'Q';
/** White around the code, in modules (ISO/IEC 18004, 6.3.8). */
const QUIET_ZONE = 4;

const QrCode = ({ address, name }: { address: string; name: string }) => {
  const svg = renderSVG(address, { ecc: CORRECTION, border: QUIET_ZONE });
  return (
    <figure class="qr">
      <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={`QR code of ${address}`} />
      <figcaption>
        <code>{address}</code>{' '}
        <button type="button" onClick={() => saveFile(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`)}>
          Save as SVG
        </button>
      </figcaption>
    </figure>
  );
};

export default QrCode;
