/** Splits a code into words: `organization_admin` is "organization admin", `dateTime` "date time". */
export const codeWords = (code: string): string =>
  code
    .replace(/^\$/, '')
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`)
