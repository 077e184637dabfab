export interface AnswerFilesProps {
  /** The address of the insight in `/v1`; its files have an ending more. */
  href: string
}

const files = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['svg', 'SVG'],
  ['png', 'PNG'],
  ['metadata.json', 'About'],
] as const

/** An insight as files: its rows, its picture, and what there is to know of both. */
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
