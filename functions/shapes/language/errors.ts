export interface ErrorTexts {
  title: string
  text: string
}

/** What went wrong, as far as its reader may care: no access, nothing there, too slow, or anything else. */
export type ErrorKind = 'access' | 'missing' | 'slow' | 'broken'
