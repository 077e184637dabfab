/** What is known of a language besides its words. */
export interface LanguageFacts {
  /** As the paths of its pages begin. */
  code: string
  /** The name it gives itself. */
  name: string
  direction: 'ltr' | 'rtl'
  /** How Open Graph writes it. */
  openGraph: string
  /** The tag that its numbers and dates are written by. */
  formatTag: string
  /** Whether the fonts of pictures (`engine/picture/fonts.ts`) have its letters; else its pictures are in English. */
  hasPictureFont: boolean
}
