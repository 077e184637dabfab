import { formatNumber } from '#app/components/list/number-format.ts'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import type { SwitchedOn } from '#functions/shapes/import-review.ts'

const nounNames: Record<SwitchedOn['done'][number]['noun'], string> = {
  boundarySet: 'boundary set',
  dataType: 'data type',
  source: 'source, with all its records',
  insight: 'insight',
  collection: 'collection',
  page: 'page',
  place: 'the hub itself',
  importer: 'importer',
  observer: 'observer',
}

/** The preview of switching things on with its button, or the outcome; and what stays off, and why. */
export function SwitchResult({ intent, result }: { intent: string; result: SwitchedOn }) {
  const { isDone, done, refused: failures, left } = result
  const isPublic = intent === 'tryPublic'
  const lines = done.map(({ noun, id, name }) => (
    <li key={`${noun} ${id}`}>
      <span dir="auto">{name}</span> ({nounNames[noun]})
    </li>
  ))
  return (
    <section className="notice stack" aria-labelledby="result" role="status">
      <h2 id="result">
        {isDone
          ? `${done.length} ${done.length === 1 ? 'is' : 'are'} on again`
          : isPublic
            ? `Everyone would read ${done.length} of these`
            : `${done.length} would run by themselves`}
      </h2>
      {lines.length > 0 ? <ul>{lines}</ul> : null}
      {failures.length > 0 ? (
        <>
          <p>{isDone ? 'Stays off' : 'Would stay off'}, and why:</p>
          <ul>
            {failures.map(({ noun, id, name, message }) => (
              <li key={`${noun} ${id}`}>
                <span dir="auto">{name}</span> ({nounNames[noun]}): {message}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {left > 0 ? <p>{formatNumber(left)} more come after these: ask again for them.</p> : null}
      {isDone || done.length === 0 ? null : (
        <ShortForm
          preventScrollReset
          names={[]}
          save={{
            intent: isPublic ? 'public' : 'acting',
            label: isPublic ? `Publish these ${done.length}` : `Switch on these ${done.length}`,
            doing: isPublic ? 'Publishing…' : 'Switching on…',
          }}
        >
          <p className="muted">
            {isPublic
              ? 'Each is published as you, and noted in the activity of the organization.'
              : 'Each is switched on as you, and noted in the activity of the organization.'}
          </p>
        </ShortForm>
      )}
    </section>
  )
}
