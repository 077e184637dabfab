import { Hash } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, Dialog, DialogTrigger, Modal, ModalOverlay } from 'react-aria-components'
import { formatValue } from '#functions/engine/chart/format.ts'
import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'
import { writeFigureReference } from '#functions/shapes/figure-reference.ts'
import { CheckField, SelectField } from '../form/field.tsx'
import { DialogHead } from '../shell/dialog-head.tsx'
import type { FigureChoices } from './figure-choices.ts'

/** A figure for a text: its reference, and its current value. */
interface PickedFigure {
  value: string
  text: string
}

/** Maximum number of rows to choose from. */
const maxRows = 200

interface PickerProps extends FigureChoices {
  onPick(figure: PickedFigure): void
}

/** Inserts a value of an insight into a text, which is updated whenever the text is shown. */
export function FigurePicker({ onPick, ...choices }: PickerProps) {
  return (
    <DialogTrigger>
      <Button className="button is-quiet is-icon is-small" aria-label="Figure of an insight">
        <Hash size={16} aria-hidden="true" />
      </Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="dialog is-lg">
          <Dialog>
            {({ close }) => (
              <>
                <DialogHead>A figure that changes with the data</DialogHead>
                <div className="dialog-body">
                  <Choice
                    {...choices}
                    onPick={(figure) => {
                      close()
                      onPick(figure)
                    }}
                  />
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  )
}

function Choice({ placeId, insights, onPick }: PickerProps) {
  const [insightId, setInsightId] = useState('')
  const [digits, setDigits] = useState('')
  const [hasUnit, setHasUnit] = useState(true)
  const answer = useAnswer(placeId, insightId)
  if (insights.length === 0) return <p>There is no insight yet whose figures a text could show.</p>
  const names = insights.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className="form">
      <SelectField
        label="Insight"
        name="insight"
        options={[{ value: '', label: 'Choose one' }, ...names]}
        value={insightId}
        onChange={(event) => setInsightId(event.target.value)}
      />
      <div className="field-row">
        <SelectField
          label="Decimals"
          name="digits"
          options={[
            { value: '', label: 'As many as suit' },
            ...['0', '1', '2', '3'].map((value) => ({ value, label: value })),
          ]}
          value={digits}
          onChange={(event) => setDigits(event.target.value)}
        />
        <CheckField
          label="With its unit"
          name="unit"
          checked={hasUnit}
          onChange={(event) => setHasUnit(event.target.checked)}
        />
      </div>
      {answer === 'loading' ? <p role="status">Asking…</p> : null}
      {answer === 'failed' ? (
        <p className="notice is-warning" role="alert">
          The insight gives no answer now. Please try again, or choose another.
        </p>
      ) : null}
      {typeof answer === 'object' && answer !== null ? (
        <Values
          {...answer}
          format={{ digits: digits === '' ? null : Number(digits), hasUnit }}
          onPick={(show, row, format, text) =>
            onPick({ value: writeFigureReference({ insightId, show, row, ...format }), text })
          }
        />
      ) : null}
    </div>
  )
}

interface Answer {
  output: Output
  results: AnswerRow[]
}

/** The result of an insight; null before one is chosen. */
function useAnswer(placeId: string, insightId: string): Answer | 'loading' | 'failed' | null {
  const [answer, setAnswer] = useState<Answer | 'loading' | 'failed' | null>(null)
  useEffect(() => {
    if (!insightId) return setAnswer(null)
    setAnswer('loading')
    const stop = new AbortController()
    const path = `/v1/places/${encodeURIComponent(placeId)}/insights/${encodeURIComponent(insightId)}/analytics`
    fetch(path, { signal: stop.signal }).then(
      async (response) => setAnswer(response.ok ? ((await response.json()) as Answer) : 'failed'),
      () => (stop.signal.aborted ? undefined : setAnswer('failed')),
    )
    return () => stop.abort()
  }, [placeId, insightId])
  return answer
}

interface Format {
  digits: number | null
  hasUnit: boolean
}

/** The rows of a result, each value as a button. A row is identified by its groups. */
function Values({
  output,
  results,
  format,
  onPick,
}: Answer & {
  format: Format
  onPick(show: string, row: Record<string, string>, format: Format, text: string): void
}) {
  const groups = output.groupings.map(({ alias }) => alias).filter((alias) => alias in output.schema)
  const measures = Object.keys(output.schema).filter((alias) => !groups.includes(alias))
  if (results.length === 0) return <p>The insight has no data.</p>
  if (groups.length === 0 && results.length > 1)
    return <p>The rows of this insight have no groups by which one could be found again.</p>
  const timeZone = output.timeZone ?? 'UTC'
  const formatCell = (alias: string, row: AnswerRow, { digits, hasUnit }: Format) =>
    formatValue(row[alias], output.schema[alias], {
      ...{ locale: 'en', timeZone },
      ...(digits === null ? {} : { decimals: digits }),
      ...(hasUnit ? {} : { unit: '' }),
    })
  const getColumnName = (alias: string) => output.schema[alias]?.name ?? alias
  return (
    <div className="table-box" role="region" aria-label="Values of the insight" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[...groups, ...measures].map((alias) => (
              <th key={alias} scope="col">
                {getColumnName(alias)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {results.slice(0, maxRows).map((row, i) => {
            const of = Object.fromEntries(groups.map((alias) => [alias, String(row[alias])]))
            const names = groups.map((alias) => formatCell(alias, row, { digits: null, hasUnit: true }))
            return (
              <tr key={i}>
                {names.map((name, at) => (
                  <td key={groups[at]}>{name}</td>
                ))}
                {measures.map((alias) => {
                  const text = formatCell(alias, row, format)
                  return (
                    <td key={alias}>
                      {row[alias] === null ? (
                        text
                      ) : (
                        <Button
                          className="button is-small"
                          aria-label={[`Put in ${text}`, getColumnName(alias), ...names].join(', ')}
                          onPress={() => onPick(alias, of, format, text)}
                        >
                          {text}
                        </Button>
                      )}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
      {results.length > maxRows ? (
        <p>
          The first {maxRows} of {results.length} rows.
        </p>
      ) : null}
    </div>
  )
}
