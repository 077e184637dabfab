import { formatNumber } from '#app/components/list/number-format.ts'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { Keys } from '#app/components/form/keys.tsx'
import { formatUseCounts, WhereUsed } from '#app/components/list/where-used.tsx'
import { CompletenessLine } from '#app/components/list/completeness.tsx'
import { changeSource } from './change.server.ts'
import { SourceForm } from './source-form.tsx'
import { settingsScreen } from './source.server.ts'

/** The settings of a source, its keys, and its destructive actions. */
export const loader = settingsScreen

export const action = changeSource

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

const doneMessages = {
  save: 'Saved.',
  publish: 'Published. The hub shows it within seconds.',
  unpublish: 'No longer public. The hub hides it within seconds.',
  wipe: 'All records are removed.',
  makeKey: 'The key is made.',
  revokeKey: 'The key is revoked.',
}

export default function SourceSettings() {
  const { source, rights, isHub, completeness, customFields, uses, keys } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, doneMessages)
  const createdKey = outcome?.ok && outcome.intent === 'makeKey' ? outcome.result : null
  return (
    <>
      <CompletenessLine sourceId={source.id} completeness={completeness} />
      <SourceForm {...{ source, isHub, customFields }} />
      {keys ? (
        <Keys
          title="Keys of programs"
          text={`A program that sends a key adds, changes and removes records of ${source.name}, and does nothing else.`}
          keys={keys}
          newKey={createdKey}
        />
      ) : null}
      <section className="stack is-tight" aria-labelledby="uses">
        <h2 id="uses">Used in</h2>
        <WhereUsed lines={uses} nowhere="Nothing that you see in this organization uses it." />
      </section>
      <Form method="post" className="danger-zone">
        {rights.mayWipe && source.count > 0 ? (
          <ConfirmButton
            intent="wipe"
            question={`Remove all records of ${source.name}?`}
            text={`${formatNumber(source.count)} records are gone from charts, exports and the hub. The source, its importers and insights stay.`}
            answer="Remove them all"
          >
            Remove all records
          </ConfirmButton>
        ) : null}
        {rights.mayDelete ? (
          <ConfirmButton
            intent="delete"
            question={`Delete ${source.name}?`}
            text={`Its records and importers go with it, and insights that ask it have nothing to show. ${uses.length ? `It is used (${formatUseCounts(uses)}). ` : ''}It can be brought back for 30 days.`}
            answer="Delete"
          >
            Delete the source
          </ConfirmButton>
        ) : null}
      </Form>
    </>
  )
}
