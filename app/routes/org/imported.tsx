import { formatNumber } from '#app/components/list/number-format.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { Day, Moment } from '#app/components/list/time.tsx'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { actOnImported, findImportReview } from './imported.server.ts'
import { holdsWords } from '#app/components/archive/archive-words.ts'
import { ImportedItems, ImportOmissions } from './imported-items.tsx'
import { SwitchResult } from './switch-result.tsx'

/** The review of the organization's import: what arrived switched off, and what was left out. */
export async function loader(args: LoaderFunctionArgs) {
  return { review: await findImportReview(args) }
}

export const action = actOnImported

export const meta = placeTitle('From an archive')

const done = { finish: 'You will not be reminded any more.' }

export default function Imported() {
  const { review } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="From an archive"
      crumbs={[
        { label: 'Manage organization', to: '/org/manage' },
        { label: 'Archive', to: '/org/manage/archive' },
      ]}
      sub="What came with the archive that this organization was made of. Nothing that is public or acts came switched on."
      done={done}
    >
      <OrgTabs />
      {review ? (
        <Review review={review} />
      ) : (
        <EmptyState
          title="There is nothing to look at"
          text="This organization was not made of an archive."
        />
      )}
    </Screen>
  )
}

export type ShownReview = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['review']>

function Review({ review }: { review: ShownReview }) {
  const outcome = useActionData<typeof action>()
  const { archive, importedAt, reviewedAt, items, states, off } = review
  const isSwitch = outcome?.ok && outcome.intent !== 'finish'
  return (
    <>
      <p>
        {archive.name} was exported on <Day date={archive.exportedAt} /> from {archive.instance} and imported{' '}
        <Moment date={importedAt} />. {describeCounts(review)}
      </p>
      <ActionError />
      {isSwitch ? <SwitchResult intent={outcome.intent} result={outcome.result} /> : null}
      <Group
        id="public"
        title="Was public"
        text="Readers see none of it until you publish it: look at it first."
        off={off.public}
        look="See what would be published"
        items={items.filter(({ noun }) => noun !== 'importer' && noun !== 'observer')}
        verb="Publish"
      />
      <Group
        id="acting"
        title="Ran automatically"
        text="Importers lack what was secret in them, and observers whom they tell: open each and put it in before it is switched on."
        off={off.acting}
        look="See what would be switched on"
        items={items.filter(({ noun }) => noun === 'importer' || noun === 'observer')}
        verb="Switch on"
      />
      {states.off + states.on + states.gone > items.length ? (
        <p className="muted">
          The first {items.length} of {formatNumber(states.off + states.on + states.gone)} are shown.
        </p>
      ) : null}
      <ImportOmissions review={review} />
      <section className="stack" aria-labelledby="finish">
        <h2 id="finish">Done?</h2>
        {reviewedAt === null ? (
          <ShortForm
            preventScrollReset
            names={[]}
            save={{ intent: 'finish', label: 'I have looked at all of it', doing: 'Noting it…' }}
          >
            <p className="muted">
              Until then your home page reminds you. What is off stays off, and this page stays here.
            </p>
          </ShortForm>
        ) : (
          <p>
            Someone said <Moment date={reviewedAt} /> that all of it was looked at.
          </p>
        )}
      </section>
    </>
  )
}

/** The number of imported things by kind. */
function describeCounts({ counts }: Pick<ShownReview, 'counts'>): string {
  const came = holdsWords(counts)
  return came === '' ? 'It was empty.' : `It brought ${came}.`
}

interface GroupProps {
  id: 'public' | 'acting'
  title: string
  text: string
  /** The number of those that are off. */
  off: number
  look: string
  verb: string
  items: ShownReview['items']
}

/** Things of a kind with their actions, and the preview of switching all on. */
function Group({ id, title, text, off, look, verb, items }: GroupProps) {
  if (items.length === 0) return null
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="muted">{off === 0 ? 'all of it is on' : `${off} off`}</span>
      </h2>
      {off === 0 ? null : (
        <ShortForm
          preventScrollReset
          names={[]}
          save={{ intent: id === 'public' ? 'tryPublic' : 'tryActing', label: look, doing: 'Looking…' }}
        >
          <p className="muted">{text}</p>
        </ShortForm>
      )}
      <ImportedItems items={items} verb={verb} />
    </section>
  )
}
