import { Form, Link } from '@remix-run/react'
import { InsightPicker, type InsightChoice } from '#app/components/story/insight-picker.tsx'

export interface AddInsightProps {
  choices: InsightChoice[]
  mayCreate: boolean
  onPick(id: string): void
}

/** Adds an insight of the place to a collection; without any, links to creating one. */
export function AddInsight({ choices, mayCreate, onPick }: AddInsightProps) {
  if (!choices.length)
    return mayCreate ? (
      <Link className="button is-primary" to="/insights/create">
        Create an insight
      </Link>
    ) : null
  return (
    <>
      <span className="needs-scripts">
        <InsightPicker
          insights={choices}
          onPick={onPick}
          label="Add an insight…"
          className="button is-primary"
        />
      </span>
      <noscript>
        <Form method="post" className="row">
          <select name="insightId" aria-label="Insight">
            {choices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <button className="button is-primary" name="intent" value="add">
            Add
          </button>
        </Form>
      </noscript>
    </>
  )
}
