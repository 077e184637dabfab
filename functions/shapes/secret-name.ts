/** Words in names of secret values. */
const secretWords = new Set(
  'auth authorization authentication key apikey token secret password passwd pass pwd cookie credential credentials session sessionid sid sig signature jwt bearer assertion'.split(
    ' ',
  ),
)
const secretEnds =
  /(token|secret|password|signature|(api|app|access|auth|account|subscription|private|shared)key)$/

/** Whether a header, parameter or member of a grant is secret by its name: `X-Api-Key`, `access_token`, `clientSecret`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return words.some((word) => secretWords.has(word)) || secretEnds.test(words.join(''))
}
