import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { ActionError } from '#app/components/form/form-error.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { formatUseCounts } from '#app/components/list/where-used.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { runBulkAction, bulkActionScreen } from './bulk-actions.server.ts'
import { maxUseIds } from '#functions/shapes/use.ts'
import { changing } from './plan.ts'
import { actionWords, formatNounCount, manyNames } from '#app/components/list/bulk-actions.ts'

/** A bulk action: selected in a list, previewed here, applied, and reverted. */
export const loader = bulkActionScreen

export const action = runBulkAction

export const meta = placeTitle<{ action: keyof typeof actionWords }>(
  ({ action }) => actionWords[action].title,
)

export default function Many() {
  const { noun, action, list, plans, missing, isCut } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof runBulkAction>()
  const isDone = outcome?.ok === true
  // Deleted rows are in no list any more, so the outcome is counted.
  const count = isDone ? outcome.done + outcome.refused.length : plans.length
  const isTagging = action === 'tag' || action === 'untag'
  return (
    <Screen
      isStack
      title={`${actionWords[action].title}: ${formatNounCount(count, noun)}`}
      crumbs={[{ label: manyNames[noun].list, to: list }]}
      sub="You see what changes before anything is done."
    >
      <ActionError />
      {outcome?.ok ? <Outcome {...outcome} /> : null}
      {plans.length === 0 && !isDone ? (
        <p className="muted">
          None is chosen. <Link to={list}>Choose some in the list</Link>
        </p>
      ) : null}
      {missing > 0 && !isDone ? (
        <p className="muted">
          {missing} of those chosen {missing === 1 ? 'is' : 'are'} not there any more.
        </p>
      ) : null}
      {isCut ? <p className="muted">At most {maxUseIds} are done at once: these are the first.</p> : null}
      {isTagging && plans.length ? <TagForm /> : null}
      {isDone ? null : <Preview />}
    </Screen>
  )
}

/** The tags to add or remove, kept in the URL like the selection. */
function TagForm() {
  const { plans, tags, action } = useLoaderData<typeof loader>()
  return (
    <Form method="get" className="form">
      <input type="hidden" name="do" value={action} />
      {plans.map(({ id }) => (
        <input key={id} type="hidden" name="id" value={id} />
      ))}
      <TextField
        label="Tags"
        name="tags"
        defaultValue={tags}
        required
        maxLength={400}
        hint="Words to find them by, with commas between them."
      />
      <div>
        <button className="button">See what changes</button>
      </div>
    </Form>
  )
}

type OutcomeProps = Extract<Awaited<ReturnType<typeof runBulkAction>>, { ok: true }>

/** The outcome: what was done, an undo button, and failures with reasons. */
function Outcome({ intent, done, refused: failures, undo }: OutcomeProps) {
  const { noun, action, list } = useLoaderData<typeof loader>()
  const isUndone = intent === 'undo'
  return (
    <>
      <Form method="post" className="publish-line">
        <p role="status">
          {formatNounCount(done, noun)} {done === 1 ? 'is' : 'are'}{' '}
          {isUndone ? 'as before.' : `${actionWords[action].done}.`} <Link to={list}>Back to the list</Link>
        </p>
        {undo === null ? null : (
          <>
            <input type="hidden" name="steps" value={undo} />
            <SubmitButton intent="undo" className="button" doing="Undoing…">
              Undo
            </SubmitButton>
          </>
        )}
      </Form>
      {failures.length ? (
        <section className="stack" aria-labelledby="refused">
          <h2 id="refused">{isUndone ? 'Could not be brought back' : 'Not done'}</h2>
          <ul>
            {failures.map(({ name, message }, i) => (
              <li key={i}>
                <strong>{name}</strong>: {message}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}

/** The effect on each row, and the button that applies it. */
function Preview() {
  const { noun, action, plans, tags, uses } = useLoaderData<typeof loader>()
  const changingPlans = changing(plans)
  if (plans.length === 0 || ((action === 'tag' || action === 'untag') && !tags.trim())) return null
  const hasUses = Object.keys(uses).length > 0
  const marks = JSON.stringify(Object.fromEntries(changingPlans.map(({ id, mark }) => [id, mark])))
  const isDelete = action === 'delete'
  return (
    <section className="stack" aria-labelledby="preview">
      <h2 id="preview">What changes</h2>
      <div className="table-box" role="region" aria-labelledby="preview" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Now</th>
              <th scope="col">Then</th>
              {hasUses ? <th scope="col">Used in</th> : null}
            </tr>
          </thead>
          <tbody>
            {plans.map(({ id, name, to, now, then, why, data }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to={to}>{name}</Link>
                </th>
                <td>{now}</td>
                <td>
                  {why === null ? (
                    data === null ? (
                      <span className="muted">Stays as it is</span>
                    ) : (
                      then
                    )
                  ) : (
                    <>
                      <span className="badge is-warning">Not done</span> {why}
                    </>
                  )}
                </td>
                {hasUses ? <td>{formatUseCounts(uses[id] ?? [])}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {changingPlans.length ? (
        <Form method="post" className="stack is-tight">
          <input type="hidden" name="shown" value={marks} />
          {isDelete ? (
            <p>
              {changingPlans.length === 1
                ? 'It can be brought back for 30 days. What uses it has a gap until then.'
                : 'They can be brought back for 30 days. What uses them has a gap until then.'}
            </p>
          ) : null}
          <div>
            <SubmitButton
              intent="apply"
              className={isDelete ? 'button is-danger' : 'button is-primary'}
              doing={actionWords[action].doing}
            >
              {`${actionWords[action].button}: ${formatNounCount(changingPlans.length, noun)}`}
            </SubmitButton>
          </div>
        </Form>
      ) : (
        <p className="muted" role="status">
          Nothing would change.
        </p>
      )}
    </section>
  )
}
