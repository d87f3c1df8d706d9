// Names in the paths by which refusals name a field (RFC 6901).

/** A name as a token of a JSON Pointer. */
export const toPointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
