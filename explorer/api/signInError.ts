// Why a sign-in failed, and what to do.

/** The message is a sentence for the person who signs in. */
export class SignInError extends Error {}
