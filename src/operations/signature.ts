/** Whose act it is, and why: what every act of a person bears, and what is shown with it. */
export interface Signature {
  readonly by: string;
  readonly note: string;
}

/** A name and a place for it, and a paragraph: far less than a row or a reply can take. */
const BY_MAX = 128;
const NOTE_MAX = 2_000;

/** Why this is nobody's act; null where it is somebody's. It comes from outside, so its types are no guard. */
export function whyUnsigned({ by, note }: Signature): string | null {
  if (!isText(by, BY_MAX) || /\p{Cc}/u.test(by))
    return `Say who decides: a name on one line, up to ${BY_MAX} characters.`;
  if (!isText(note, NOTE_MAX) || /[^\P{Cc}\n\t]/u.test(note)) return `Say why: a note of up to ${NOTE_MAX} characters.`;
  return null;
}

export function isText(text: unknown, max: number): boolean {
  return typeof text === 'string' && text.trim() !== '' && text.length <= max;
}
