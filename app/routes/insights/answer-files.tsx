export interface AnswerFilesProps {
  /** The path of the insight in `/v1`; its files add an extension. */
  href: string
}

const files = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['svg', 'SVG'],
  ['png', 'PNG'],
  ['metadata.json', 'About'],
] as const

/** The files of an insight: rows, pictures, and metadata. */
export function AnswerFiles({ href }: AnswerFilesProps) {
  return (
    <div className="button-group" role="group" aria-label="Files">
      {files.map(([ending, label]) => (
        <a key={ending} className="button is-small" href={`${href}.${ending}`}>
          {label}
        </a>
      ))}
    </div>
  )
}
