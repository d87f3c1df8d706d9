// What a check on a page of the operator is worth, and how to check without the operator.

/** Says so, with the verifier as a file. */
export const Doubt = () => (
  <p class="hint">
    This page comes from the operator, who could make it show a false result, and it asks the operator’s node. To check
    without trusting the operator, save{' '}
    <a href="/verify.html" download>
      verify.html
    </a>
    , compare it with what others have, and open it elsewhere: it alone can ask another node. Or run{' '}
    <code>npm run verify</code> on a machine of your own.
  </p>
);
