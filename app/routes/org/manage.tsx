import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { OrgTabs } from '#app/components/org/org-tabs.tsx'
import { readBoundaryValue } from './boundary-value.ts'
import { MapForm } from './map-form.tsx'
import { NamesForm, placeNames } from './names-form.tsx'
import { OrgReading } from './org-reading.tsx'
import { ThemeForm, themePictures } from './theme-form.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues, textOrNull, versionIn } from '#app/server/form-values.server.ts'
import { orgScreen } from './manage.server.ts'
import { v1 } from '#functions/v1/index.ts'

export const loader = orgScreen

/** Each section is saved separately, with the version it was loaded with. */
export function action(args: ActionFunctionArgs) {
  const endpoint = v1.place.updateById
  return handleFormKeepingValues(args, {
    names: { endpoint, fields: placeNames },
    theme: { endpoint, data: (form) => ({ theme: themeIn(form), version: versionIn(form) }) },
    map: {
      endpoint,
      data: (form) => ({
        ...readBoundaryValue(textOrNull(form, 'boundaryId')),
        allStatesBoundaryId: textOrNull(form, 'allStatesBoundaryId'),
        mapConfiguration: {
          showStateLabel: form.get('mapConfiguration.showStateLabel') === 'on',
          ...pickFormTexts(form, 'mapConfiguration.', ['layerColor']),
        },
        version: versionIn(form),
      }),
    },
  })
}

/** The whole theme, without empty members. */
const themeIn = (form: FormData) =>
  pickFormTexts(form, 'theme.', ['primaryColor', ...themePictures.map(([name]) => name)])

function pickFormTexts(form: FormData, prefix: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textOrNull(form, prefix + name)
      return text === null ? [] : [[name, text]]
    }),
  )
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle('Manage organization')

const done = {
  names: 'Saved. The hub shows it within seconds.',
  theme: 'The new look is saved.',
  map: 'The map is saved.',
}

export default function Manage() {
  const { editor, reading } = useLoaderData<typeof loader>()
  return editor ? <Editor {...editor} /> : <OrgReading place={reading} />
}

type Screen = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['editor']>

function Editor({ place, boundary, timeZones }: Screen) {
  return (
    <Screen
      title="Manage organization"
      sub="What it is called, how it looks, and where it is."
      actions={
        <Link className="button" to="/team">
          Team
        </Link>
      }
      done={done}
    >
      <OrgTabs />
      <div className="settings">
        <section aria-labelledby="names">
          <h2 id="names">Names and texts</h2>
          <NamesForm place={place} timeZones={timeZones} />
        </section>
        <section aria-labelledby="look">
          <h2 id="look">Look</h2>
          <ThemeForm place={place} />
        </section>
        <section aria-labelledby="map">
          <h2 id="map">Map</h2>
          <MapForm place={place} boundary={boundary} />
        </section>
        <section aria-labelledby="close">
          <h2 id="close">Close the organization</h2>
          <div className="stack">
            <p className="muted">
              Its hub, its data and its workspace go at once. For 30 days that can be undone; then all of it
              is deleted for good.
            </p>
            <div className="button-group">
              <Link className="button is-danger" to="/org/manage/close">
                See what would go
              </Link>
            </div>
          </div>
        </section>
      </div>
    </Screen>
  )
}
