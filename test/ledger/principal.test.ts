import { expect } from 'chai';
import { isPrincipal, toPrincipal } from '../../ledger/principal.ts';

describe('principals', () => {
  it('are filled with empty strings', () => {
    expect(toPrincipal({})).to.deep.equal({ issuer: '', subject: '', display_name: '', email: '' });
    expect(isPrincipal(toPrincipal({ subject: 's' }))).to.equal(true);
  });

  it('have no other fields', () => {
    const given = { subject: 's', role: 'root' } as Parameters<typeof toPrincipal>[0];
    expect(toPrincipal(given)).to.deep.equal({ issuer: '', subject: 's', display_name: '', email: '' });
  });
});
