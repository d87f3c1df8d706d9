// An address that no page has.
export const NotFoundPage = () => (
  <>
    <h1>No such page</h1>
    <p>
      This address has no page. Go to <a href="/">the newest events</a>, or to <a href="/assets">the assets</a>.
    </p>
  </>
);
