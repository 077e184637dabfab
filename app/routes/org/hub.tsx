import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { ActionError } from '#app/components/form/form-error.tsx'
import { HostLights } from './host-lights.tsx'
import { HostRow } from './host-row.tsx'
import { HubLanguages } from './hub-languages.tsx'
import { HubSections } from './hub-sections.tsx'
import { PublicSite } from './public-site.tsx'
import { HubTroubles } from '#app/components/org/hub-troubles.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { toHubTroubles } from '#app/server/hub-problems.server.ts'
import { applySectionChange, readSectionRequest, type SectionIntent } from './hub-sections.server.ts'
import { handleFormKeepingValues, versionIn } from '#app/server/form-values.server.ts'
import { load } from '#app/server/load.server.ts'
import { publicPlaceUrl } from '#app/server/public-urls.server.ts'
import { requireManager } from './manage.server.ts'
import { leadingTypes, type HubSection } from '#functions/shapes/hub-section.ts'
import { locales, type Locale } from '#functions/shapes/locale.ts'
import type { Verified } from '#functions/shapes/domain.ts'
import { v1 } from '#functions/v1/index.ts'

/** Maximum number of insights among which the home page finds its figures. */
const shownInsights = 50

/** Whether the place has a public hub, its contents, and its hosts. */
export async function loader(args: LoaderFunctionArgs) {
  await requireManager(args, 'place.update')
  const publicOptions = { filters: { visibility: 'public' }, limit: 1 }
  const { place, status, hosts, sources, stories, insights } = await load(args, {
    place: v1.place.findById,
    status: v1.place.hubStatus,
    hosts: { endpoint: v1.place.domain.find, options: { limit: 100 } },
    sources: { endpoint: v1.place.source.find, options: publicOptions },
    stories: {
      endpoint: v1.place.page.find,
      options: { filters: { visibility: 'public', publish: 'published' }, limit: 1 },
    },
    insights: { endpoint: v1.place.insight.find, options: { maxVisibility: 'public', limit: shownInsights } },
  })
  const { ctx } = args.context
  return {
    place: {
      id: place.id,
      isHub: place.isHub,
      domain: place.domain,
      hasMap: place.hasMap,
      hasAbout: place.about.trim() !== '',
      version: place.version,
    },
    hubUrl: publicPlaceUrl(ctx, place),
    ownUrl: publicPlaceUrl(ctx, { id: place.id, domain: null }),
    hosts: hosts.results,
    troubles: toHubTroubles(status.problems, ctx.now()),
    counts: { sources: sources.meta.total, stories: stories.meta.total },
    sections: place.hubSections,
    languages: place.languages,
    drawn: insights.results.map(({ name, visualization }) => ({ name, type: String(visualization.type) })),
  }
}

export async function action(args: ActionFunctionArgs) {
  const { domain } = v1.place
  const sectionChange = await readSectionRequest(args)
  if (sectionChange) {
    const { place } = await load(args, { place: v1.place.findById })
    const data = () => ({
      hubSections: applySectionChange(place.hubSections, sectionChange),
      version: place.version,
    })
    const change = { endpoint: v1.place.updateById, data }
    return handleFormKeepingValues(
      args,
      () => ({ [sectionChange.intent]: change }) as Record<SectionIntent, typeof change>,
    )
  }
  return handleFormKeepingValues(args, (formValues) => ({
    show: {
      endpoint: v1.place.updateById,
      data: (form) => ({ isHub: true, version: versionIn(form) }),
    },
    hide: {
      endpoint: v1.place.updateById,
      data: (form) => ({ isHub: false, version: versionIn(form) }),
    },
    languages: {
      endpoint: v1.place.updateById,
      data: (form) => ({ languages: languagesIn(form), version: versionIn(form) }),
    },
    publishNow: { endpoint: v1.place.publishHub, data: () => undefined },
    verify: { endpoint: domain.verify, data: () => ({ domain: formValues.domain }) },
    giveUp: { endpoint: domain.deleteById, params: { domainId: formValues.domain ?? '' } },
  }))
}

/** The default language and the checked others, in display order; the endpoint validates them. */
function languagesIn(form: FormData): Locale[] {
  const others = form.getAll('spoken')
  const own = String(form.get('own') ?? '') as Locale
  return [own, ...locales.flatMap(({ code }) => (code !== own && others.includes(code) ? [code] : []))]
}

export const meta = placeTitle('Hub')

const done = {
  show: 'The hub is public. It takes some seconds to be built.',
  hide: 'The hub is closed.',
  giveUp: 'Given up.',
  languages: 'Saved. The pages of the hub follow within a minute.',
  publishNow: 'It is being tried now. Look again in a moment.',
  'section.hide': 'Hidden. The hub follows within seconds.',
  'section.show': 'Shown, as the last. The hub follows within seconds.',
  'section.reset': 'The sections are as they were in the beginning.',
}

export default function Hub() {
  const {
    place,
    hubUrl,
    ownUrl,
    troubles,
    counts,
    sections,
    languages,
    drawn: charts,
  } = useLoaderData<typeof loader>()
  return (
    <Screen
      title="Hub"
      crumbs={[{ label: 'Manage organization', to: '/org/manage' }]}
      sub="The public site of your organization."
      badges={
        place.isHub ? <span className="badge is-success">Public</span> : <span className="badge">Closed</span>
      }
      actions={
        place.isHub ? (
          <a className="button is-primary" href={hubUrl}>
            Open the hub
          </a>
        ) : null
      }
      done={done}
    >
      <OrgTabs />
      <ActionError besides={['verify', 'languages']} />
      <HubTroubles troubles={troubles} mayRetry />
      <div className="settings">
        <PublicSite {...{ place, hubUrl, ownUrl }} isEmpty={counts.sources + counts.stories === 0} />
        <section aria-labelledby="home">
          <h2 id="home">First page</h2>
          <HubSections
            visibleSections={sections}
            notes={describeSections({ counts, charts, hasMap: place.hasMap })}
          />
        </section>
        <section aria-labelledby="languages">
          <h2 id="languages">Languages</h2>
          <HubLanguages key={languages.join()} languages={languages} version={place.version} />
        </section>
        <OtherPages {...{ place, counts }} />
        <OwnHosts />
      </div>
    </Screen>
  )
}

type Screen = ReturnType<typeof useLoaderData<typeof loader>>

/** The other pages, each with the link to edit it. */
function OtherPages({ place, counts }: Pick<Screen, 'place' | 'counts'>) {
  return (
    <section aria-labelledby="pages">
      <h2 id="pages">Other pages</h2>
      <ul className="list">
        <Section
          name="Data Stories"
          state={counts.stories ? `${counts.stories} published` : 'Nothing is published yet'}
          to="/pages"
          link="Pages"
        />
        <Section
          name="Domains Data"
          state={counts.sources ? `${counts.sources} public sources` : 'No source is public yet'}
          to="/sources"
          link="Data"
        />
        <Section
          name="Maps"
          state={place.hasMap ? 'Shown' : 'Hidden until the organization has a boundary'}
          to={place.hasMap ? '/map' : '/org/manage#map'}
          link={place.hasMap ? 'Map' : 'Choose it'}
        />
        <Section
          name="About"
          state={place.hasAbout ? 'Written' : 'Nothing is written yet'}
          to="/org/manage#names"
          link={place.hasAbout ? 'Change it' : 'Write it'}
        />
      </ul>
    </section>
  )
}

/** The organization's own domains, and the form that checks another one. */
function OwnHosts() {
  const { place, ownUrl, hosts } = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const checked = outcome?.ok && outcome.intent === 'verify' ? outcome.result : null
  const host = checked?.records.at(-1)?.name
  return (
    <section aria-labelledby="hosts">
      <h2 id="hosts">Addresses of your own</h2>
      <div className="stack">
        {hosts.length ? (
          <ul className="list">
            {hosts.map((each) => (
              <HostRow key={each.id} host={each} isCanonical={each.id === place.domain} />
            ))}
          </ul>
        ) : (
          <EmptyState
            level={3}
            title="No address of your own yet"
            text={`The hub answers at ${ownUrl}. With an address such as data.example.org it answers there as well.`}
          />
        )}
        {checked ? <CheckedHost {...{ checked, host }} /> : null}
        <ShortForm
          preventScrollReset
          names={['domain']}
          saved={{ domain: checked?.verified ? '' : host }}
          save={{
            intent: 'verify',
            label: checked && !checked.verified ? 'Check now' : 'Add the address',
            doing: 'Asking DNS…',
          }}
        >
          <TextField
            key={host ?? 'new'}
            label="Address"
            name="domain"
            hint="The name alone, such as data.example.org. You see the records to set, and nothing changes before they are found."
            required
            maxLength={253}
            autoComplete="off"
            spellCheck={false}
          />
        </ShortForm>
      </div>
    </section>
  )
}

/** The results of checking a domain. */
function CheckedHost({ checked, host }: { checked: Verified; host: string | undefined }) {
  const isReady = checked.lights.every(({ state }) => state === 'good')
  return (
    <div className="stack" role="status">
      <h3>
        {!checked.verified
          ? `Set these records for ${host}, then check again`
          : isReady
            ? `${host} is yours, and the hub answers there`
            : `${host} is yours`}
      </h3>
      <p>
        {checked.verified
          ? isReady
            ? 'All five are looked at again every day, and we write to you when one of them fails.'
            : 'What is left comes by itself or is said below.'
          : 'The TXT record proves that the address is yours, the other brings the visitors. Set both at your name server.'}
      </p>
      <HostLights lights={checked.lights} />
    </div>
  )
}

/** Without a comma before "or": "line, area or bar". */
const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** What each section shows now, or why it is empty. */
function describeSections({
  counts,
  charts,
  hasMap,
}: {
  counts: { sources: number; stories: number }
  charts: { name: string; type: string }[]
  hasMap: boolean
}): Record<HubSection, string> {
  const findChartName = (...types: string[]) => charts.find(({ type }) => types.includes(type))?.name
  const number = findChartName('number')
  const countNote = 'How many records and indicators there are'
  return {
    numbers: number ? `${number}, and how many records and indicators there are` : countNote,
    chart:
      findChartName(...leadingTypes) ??
      `Nothing, until a ${disjunction.format(leadingTypes)} chart is public`,
    stories: counts.stories ? 'The newest three' : 'Nothing, until one is published',
    domains: counts.sources ? 'Those with public indicators' : 'Nothing, until a source is public',
    map:
      (hasMap ? findChartName('map') : undefined) ??
      'Nothing, until the place has a boundary and a map is public',
  }
}

function Section({ name, state, to, link }: { name: string; state: string; to: string; link: string }) {
  return (
    <li className="list-item">
      <div className="list-main">
        <p className="list-title">{name}</p>
        <p className="list-note">{state}</p>
      </div>
      <div className="list-actions">
        <Link className="button is-small is-quiet" to={to}>
          {link}
        </Link>
      </div>
    </li>
  )
}
