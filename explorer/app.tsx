// The pages and their addresses. Without a token, every page but the open ones is the one to sign in.
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { token } from './api/session.ts';
import { Frame } from './components/frame.tsx';
import { AssetPage } from './pages/asset.tsx';
import { AssetsPage } from './pages/assets.tsx';
import { BlockPage } from './pages/block.tsx';
import { CheckPage } from './pages/check.tsx';
import { EventPage } from './pages/event.tsx';
import { FilteredEventsPage } from './pages/events.tsx';
import { HomePage } from './pages/home.tsx';
import { AdminPage, NewAssetPage, NewEventPage, NewPolicyPage, PolicyPage } from './pages/lazyPages.ts';
import { LocationPage } from './pages/location.tsx';
import { LocationsPage } from './pages/locations.tsx';
import { NodePage } from './pages/node.tsx';
import { NotFoundPage } from './pages/notFound.tsx';
import { PoliciesPage } from './pages/policies.tsx';
import { SignInPage } from './pages/signIn.tsx';
import { isOpenPath } from './state/scope.ts';

const Pages = () => {
  const { path } = useLocation();
  if (token.value === undefined && !isOpenPath(path)) return <SignInPage />;
  return (
    <Router>
      <Route path="/" component={HomePage} />
      <Route path="/assets" component={AssetsPage} />
      <Route path="/assets/new" component={NewAssetPage} />
      <Route path="/assets/:uuid" component={AssetPage} />
      <Route path="/assets/:uuid/events/new" component={NewEventPage} />
      <Route path="/assets/:uuid/events/:event" component={EventPage} />
      <Route path="/events" component={FilteredEventsPage} />
      <Route path="/p/assets/:uuid" component={AssetPage} />
      <Route path="/p/assets/:uuid/events/:event" component={EventPage} />
      <Route path="/check" component={CheckPage} />
      <Route path="/locations" component={LocationsPage} />
      <Route path="/locations/:uuid" component={LocationPage} />
      <Route path="/policies" component={PoliciesPage} />
      <Route path="/policies/new" component={NewPolicyPage} />
      <Route path="/policies/:uuid" component={PolicyPage} />
      <Route path="/node" component={NodePage} />
      <Route path="/node/blocks/:number" component={BlockPage} />
      <Route path="/admin/:part?/:record?" component={AdminPage} />
      <Route path="/sign-in" component={SignInPage} />
      <Route default component={NotFoundPage} />
    </Router>
  );
};

export const App = () => (
  <LocationProvider>
    <Frame>
      <Pages />
    </Frame>
  </LocationProvider>
);
