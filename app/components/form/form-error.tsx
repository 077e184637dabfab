import { issuesBeside, type Refused } from './issues.ts'

/** What the server refused, above the inputs; nothing when all of it stands under them. */
export function FormError({ refused, names }: { refused: Refused | undefined; names: readonly string[] }) {
  const lines = issuesBeside(refused, names)
  if (!lines.length) return null
  return (
    <div className="form-error" role="alert">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}
