import { csvOf } from './csv.ts'

export interface AnswerFilesProps {
  name: string
  /** The address of the answer in `/v1`. */
  jsonHref: string
  columns: string[]
  rows: Record<string, unknown>[]
}

/** The answer as files. CSV is made in the browser from what the page holds; JSON is the endpoint itself. */
export function AnswerFiles({ name, jsonHref, columns, rows }: AnswerFilesProps) {
  const saveCsv = () => {
    const url = URL.createObjectURL(new Blob([csvOf(columns, rows)], { type: 'text/csv;charset=utf-8' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: `${name}.csv` })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <div className="button-group">
      <button type="button" className="button is-small" onClick={saveCsv}>
        CSV
      </button>
      <a className="button is-small" href={jsonHref}>
        JSON
      </a>
    </div>
  )
}
