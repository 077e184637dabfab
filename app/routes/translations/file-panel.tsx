import { Form } from '@remix-run/react'
import { FormError } from '#app/components/form/form-error.tsx'
import { readFormErrors } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import type { ImportReport } from '#functions/shapes/translation.ts'

export interface FilePanelProps {
  language: { code: string; name: string; direction: 'ltr' | 'rtl' }
  openHref: string
  allHref: string
  outcome: unknown
  /** The preview of a file, and its content; null before one was submitted. */
  preview: { report: ImportReport; csv: string } | null
}

/** Exports the texts as a CSV file for a translator, and imports it again after a preview. */
export function FilePanel({ language, openHref, allHref, outcome, preview }: FilePanelProps) {
  const { intent } = (outcome ?? {}) as { intent?: string }
  return (
    <section aria-labelledby="file" className="stack">
      <h2 id="file">With a translator</h2>
      <p>
        Download the texts as a CSV file, have its last column filled in, and bring it back. Nothing is
        written before you have seen what it would change.
      </p>
      <p className="row">
        <a className="button" href={openHref} download>
          Download what is open
        </a>
        <a className="button is-quiet" href={allHref} download>
          Download all texts
        </a>
      </p>
      {intent === 'look' || intent === 'apply' ? (
        <FormError errors={readFormErrors(outcome)} names={[]} />
      ) : null}
      <Form method="post" encType="multipart/form-data" className="row" preventScrollReset>
        <input type="hidden" name="language" value={language.code} />
        <label className="field">
          <span className="field-label">File in {language.name}</span>
          <input type="file" name="file" accept=".csv,text/csv" required />
        </label>
        <SubmitButton intent="look" doing="Reading…" className="button">
          Look at the file
        </SubmitButton>
      </Form>
      {preview ? <Report {...{ language, looked: preview }} /> : null}
    </section>
  )
}

const verdicts: Record<string, string> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'As it is',
  stale: 'Of an older original',
  empty: 'Not translated',
  unknown: 'Not found',
  forbidden: 'Not yours to change',
  invalid: 'Not taken',
  twice: 'Twice in the file',
}
const maxShown = 200

function Report({
  language,
  looked: { report, csv },
}: Pick<FilePanelProps, 'language'> & { looked: NonNullable<FilePanelProps['preview']> }) {
  const { counts, rows, token } = report
  const writes = (counts.new ?? 0) + (counts.changed ?? 0) + (counts.stale ?? 0)
  return (
    <div className="stack" role="status">
      <h3>What the file would change</h3>
      <p>
        {Object.entries(verdicts)
          .flatMap(([verdict, label]) => (counts[verdict] ? [`${label}: ${counts[verdict]}`] : []))
          .join(' · ')}
      </p>
      {rows.length > 0 ? (
        <div className="table-scroll" tabIndex={0} role="region" aria-label="Rows of the file">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">What becomes of it</th>
                <th scope="col">Original</th>
                <th scope="col">Now</th>
                <th scope="col">Then</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, maxShown).map((row) => (
                <tr key={row.line}>
                  <td>{row.line}</td>
                  <td>
                    {verdicts[row.verdict] ?? row.verdict}
                    {row.notes.map((note) => (
                      <p key={note} className="field-hint">
                        {note}
                      </p>
                    ))}
                  </td>
                  <td>
                    <bdi>{row.original}</bdi>
                  </td>
                  <td>
                    <bdi lang={language.code}>{row.before}</bdi>
                  </td>
                  <td>
                    <bdi lang={language.code}>{row.text}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {rows.length > maxShown ? <p>And {rows.length - maxShown} rows more.</p> : null}
      {writes > 0 && token ? (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="language" value={language.code} />
          <input type="hidden" name="token" value={token} />
          <textarea name="csv" defaultValue={csv} hidden readOnly />
          <SubmitButton intent="apply" doing="Writing…">
            {writes === 1 ? 'Write this text' : `Write these ${writes} texts`}
          </SubmitButton>
        </Form>
      ) : (
        <p>There is nothing in it to be written.</p>
      )}
    </div>
  )
}
