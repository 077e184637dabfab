export interface ErrorTexts {
  title: string
  text: string
}

/** The kinds of errors that readers are shown: no access, not found, timeout, or anything else. */
export type ErrorKind = 'access' | 'missing' | 'slow' | 'broken'
