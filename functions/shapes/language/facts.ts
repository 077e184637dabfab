/** The facts about a language apart from its texts. */
export interface LanguageFacts {
  /** The first segment of the paths of its pages. */
  code: string
  /** The name of the language in the language itself. */
  name: string
  direction: 'ltr' | 'rtl'
  /** The locale in the format of Open Graph. */
  openGraph: string
  /** The BCP 47 tag by which numbers and dates are formatted. */
  formatTag: string
  /**
   * Whether the fonts of pictures (`engine/picture/fonts.ts`) have its letters; otherwise its pictures are in
   * English.
   */
  hasPictureFont: boolean
}
