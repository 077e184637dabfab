import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { useToast } from '#app/client/use-toast.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import type { ImportReport } from '#functions/shapes/translation.ts'
import { FilePanel } from './file-panel.tsx'
import { TextFilter } from './text-filter.tsx'
import { TextRow } from './text-row.tsx'
import { changeTranslations, loadTranslations } from './translations.server.ts'

export const loader = (args: LoaderFunctionArgs) => loadTranslations(args)
export const action = (args: ActionFunctionArgs) => changeTranslations(args)

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Translations')

export default function Translations() {
  const { own, mayManage, list } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  useToast(outcome, buildToasts(outcome))
  return (
    <Screen
      title="Translations"
      {...(mayManage && { crumbs: [{ label: 'Manage organization', to: '/org/manage' }] })}
      sub="What you have written, in the other languages of your hub."
    >
      {mayManage ? <OrgTabs /> : null}
      {list === null ? (
        <EmptyState
          title="The hub has one language"
          text={`Its pages are in ${own.name} alone. Choose other languages for them, and what you have written can be translated here.`}
          action={
            <Link className="button" to="/org/manage/hub">
              Choose languages
            </Link>
          }
        />
      ) : (
        <Texts own={own} list={list} outcome={outcome} />
      )}
    </Screen>
  )
}

type Data = ReturnType<typeof useLoaderData<typeof loader>>
interface TextsProps {
  own: Data['own']
  list: NonNullable<Data['list']>
  outcome: ReturnType<typeof useActionData<typeof action>>
}

function Texts({ own, list, outcome }: TextsProps) {
  const { query, texts, language, languages, mine: permittedNouns } = list
  return (
    <div className="stack">
      <nav aria-label="Languages" className="translation-languages">
        <ul>
          {languages.map(({ code, name, texts: all, missing, stale }) => (
            <li key={code}>
              <Link
                to={`?language=${code}`}
                className="translation-language"
                aria-current={code === language.code ? 'page' : undefined}
              >
                <b lang={code}>{name}</b>
                <meter min={0} max={all} value={all - missing} aria-label={`Translated into ${name}`} />
                <span>
                  {all - missing} of {all}
                  {stale > 0 ? `, ${stale} older than the original` : ''}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <TextFilter {...{ query, language: language.code, nouns: texts.nouns }} />
      {texts.results.length > 0 ? (
        <ol className="translations">
          {texts.results.map((text) => (
            <TextRow
              key={`${language.code} ${text.noun} ${text.nounId} ${text.path} ${text.version ?? 0}`}
              {...{ text, own, language }}
              mayWrite={permittedNouns.includes(text.noun)}
            />
          ))}
        </ol>
      ) : (
        <EmptyState title="No texts" text="No text fits what you are looking for." />
      )}
      <Pager query={query} visibleCount={texts.results.length} total={texts.meta.total} noun="texts" />
      <FilePanel
        {...{ language, outcome, preview: lookedIn(outcome) }}
        openHref={list.openHref}
        allHref={list.allHref}
      />
    </div>
  )
}

/** Returns the preview of a file, if one was just submitted. */
function lookedIn(outcome: unknown): { report: ImportReport; csv: string } | null {
  const { ok, csv, result } = (outcome ?? {}) as { ok?: boolean; csv?: string; result?: ImportReport }
  return ok && csv !== undefined && result ? { report: result, csv } : null
}

function buildToasts(outcome: unknown): Record<string, string> {
  const { intent = '' } = (outcome ?? {}) as { intent?: string }
  const follows = 'The pages in this language follow within a minute.'
  return {
    apply: `The texts are written. ${follows}`,
    ...(intent.startsWith('save ') && { [intent]: `Saved. ${follows}` }),
    ...(intent.startsWith('remove ') && { [intent]: `Removed. ${follows}` }),
  }
}
