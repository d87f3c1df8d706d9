// Runs the same tests with the tokens of every kind of issuer: the server itself, and two others with their own keys.
import { expect } from 'chai';
import { type OidcIssuer, startOidcIssuer } from '../../support/startOidcIssuer.ts';
import { expectProblem } from './expectProblem.ts';
import { type Forger, forge, toOidcForger, toOwnForger } from './forgers.ts';
import { type OidcServer, startOidcServer, toSettings } from './oidcServer.ts';

const KINDS = { own: 'own tokens', ES256: 'ES256 tokens of another issuer', RS256: 'RS256 tokens of another issuer' };
type Kind = keyof typeof KINDS;

/** The fixture of one test. */
export interface IssuerFixture {
  readonly server: OidcServer;
  readonly forger: Forger;
  /** All forgers, including that of the test. */
  readonly forgers: readonly Forger[];
  /** A valid token that was not sent before. */
  readonly good: string;
  readonly nowSeconds: number;
  expectAccepted(token: string): Promise<void>;
  expectRefused(token: string): Promise<void>;
  /** Refused by the authority itself, for tokens that a header can't contain. */
  expectRefusedInside(token: string): Promise<void>;
}

const toFixture = (server: OidcServer, forgers: readonly Forger[], forger: Forger, good: string): IssuerFixture => ({
  server,
  forger,
  forgers,
  good,
  nowSeconds: Math.floor(server.clock.atMs / 1000),
  expectAccepted: async (token) => {
    expect((await server.get(token)).status).to.equal(200);
  },
  expectRefused: async (token) => {
    expectProblem(await server.get(token), 401, 'UNAUTHENTICATED');
  },
  expectRefusedInside: async (token) => {
    const error = await server.tokens.verify(token).catch((refusal: unknown) => refusal);
    expect(error).to.include({ code: 'UNAUTHENTICATED' });
  },
});

/** A suite for every kind of issuer. Before each test, the server has fetched the issuer's keys. */
export const forEveryIssuer = (title: string, tests: (fixture: () => IssuerFixture) => void): void => {
  for (const [kind, description] of Object.entries(KINDS) as [Kind, string][]) {
    describe(`${title}, ${description}`, () => {
      let issuers: readonly OidcIssuer[];
      let fixture: IssuerFixture;
      before(async () => {
        issuers = [await startOidcIssuer('ES256'), await startOidcIssuer('RS256')];
      });
      beforeEach(async () => {
        const server = await startOidcServer(issuers.map(({ url }) => toSettings(url)));
        const forgers = [toOwnForger(server), ...(await Promise.all(issuers.map((one) => toOidcForger(one, server))))];
        const forger = forgers[Object.keys(KINDS).indexOf(kind)]!;
        fixture = toFixture(server, forgers, forger, await forge(forger));
        await fixture.expectAccepted(await forge(forger, { jti: 'control' }));
      });
      afterEach(() => fixture.server.close());
      after(() => Promise.all(issuers.map(({ stop }) => stop())));
      tests(() => fixture);
    });
  }
};
