// verify.html: the verifier of the explorer alone, as one file to save and to open elsewhere.
import { render } from 'preact';
import '../styles/base.css';
import '../styles/page.css';
import '../styles/forms.css';
import { showUnseenText } from '../text/shownText.ts';
import { VerifyPage } from './verifyPage.tsx';

showUnseenText();
render(<VerifyPage />, document.getElementById('app')!);
