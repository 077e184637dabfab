import { Link } from '@remix-run/react'
import type { Completeness, CompletenessPart } from '#functions/shapes/completeness.ts'

/** The next step to complete the metadata of a source, and its tab. */
const nextSteps: Record<CompletenessPart, { action: string; tab: 'settings' | 'fields' }> = {
  description: { action: 'Describe it', tab: 'settings' },
  licence: { action: 'Choose a licence', tab: 'settings' },
  contact: { action: 'Say whom to ask', tab: 'settings' },
  cadence: { action: 'Say how often new data come', tab: 'settings' },
  categories: { action: 'Give it tags or a topic', tab: 'settings' },
  fields: { action: 'Explain its fields', tab: 'fields' },
  time: { action: 'Say which date is meant', tab: 'fields' },
  geography: { action: 'See why no record has a place', tab: 'fields' },
  customFields: { action: 'Fill in what your organization requires', tab: 'settings' },
}

const partNames: Record<CompletenessPart, string> = {
  description: 'a description',
  licence: 'a licence',
  contact: 'whom to ask',
  cadence: 'how often new data come',
  categories: 'tags or a topic',
  fields: 'what its fields mean',
  time: 'which date is meant',
  geography: 'places of its records',
  customFields: 'what your organization requires',
}

/** The screen of a source where its next part is filled in. */
const pathOfStep = (sourceId: string, next: CompletenessPart) =>
  `/sources/${sourceId}/${nextSteps[next].tab === 'settings' ? 'settings#settings' : 'fields'}`

interface CompletenessMarkProps {
  completeness: Completeness | undefined
  /** The source, for people who may fill in what is missing: the mark then leads to it. */
  source?: { id: string; name: string } | undefined
}

/** A compact indicator of a source's metadata completeness, with the way to the one next thing; nothing if unknown. */
export function CompletenessMark({ completeness, source }: CompletenessMarkProps) {
  if (!completeness) return null
  const { done, of, next } = completeness
  const mark = (
    <>
      <meter min={0} max={of} low={of * 0.6} optimum={of} value={done} aria-label="Described" />
      <span className="num">
        {done} of {of}
      </span>
    </>
  )
  if (!source || next === null)
    return (
      <span className="completeness" title="What readers have to know of it">
        {mark}
      </span>
    )
  const { action } = nextSteps[next]
  return (
    <Link className="completeness" to={pathOfStep(source.id, next)} title={action}>
      {mark}
      <span className="sr-only">
        . {action}: {source.name}
      </span>
    </Link>
  )
}

/** The same with what is missing, and the next step; or a note that it is complete. */
export function CompletenessLine({
  sourceId,
  completeness,
}: {
  sourceId: string
  completeness: Completeness
}) {
  const { missing, missingFields, next } = completeness
  return (
    <div className="publish-line">
      <p>
        <CompletenessMark completeness={completeness} />{' '}
        {missing.length === 0
          ? 'Readers are told everything they have to know.'
          : `Not said yet: ${missing.flatMap((part) => (part === 'customFields' ? missingFields.map(({ title }) => title) : partNames[part])).join(', ')}.`}
      </p>
      {next ? (
        <Link className="button is-small" to={pathOfStep(sourceId, next)}>
          {nextSteps[next].action}
        </Link>
      ) : null}
    </div>
  )
}
