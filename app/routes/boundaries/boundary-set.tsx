import { formatNumber } from '#app/components/list/number-format.ts'
import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { useState } from 'react'
import { AboutFields, aboutNames } from '#app/components/form/about-fields.tsx'
import { DeleteButton, EditForm, ShortForm } from '#app/components/form/edit-form.tsx'
import { SelectField } from '#app/components/form/field.tsx'
import { RawSvg } from '#app/components/hub/raw-svg.tsx'
import { VisibilityBadge } from '#app/components/list/badges.tsx'
import { formatUseCounts, WhereUsed } from '#app/components/list/where-used.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { Screen } from '#app/components/shell/screen.tsx'
import { SetField } from '#app/components/query/set-field.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleFormKeepingValues, textOrNull, versionIn } from '#app/server/form-values.server.ts'
import { nameOfSet } from '#functions/shapes/region-sets.ts'
import { v1 } from '#functions/v1/index.ts'
import { AreaList } from './area-list.tsx'
import { boundarySetScreen } from './boundary-set.server.ts'
import { FileFields, fileIn, fileNames } from './file-field.tsx'
import { FoundList } from './found-list.tsx'
import { NestingList } from './nesting-list.tsx'
import { OriginFields, originNames } from './origin-fields.tsx'

export const loader = boundarySetScreen

export function action(args: ActionFunctionArgs) {
  return handleFormKeepingValues(args, (formValues) => ({
    save: {
      endpoint: v1.place.boundarySet.updateById,
      data: (form) => ({
        ...Object.fromEntries([...aboutNames, ...originNames].map((name) => [name, formValues[name] ?? ''])),
        nameField: textOrNull(form, 'nameField'),
        codeField: textOrNull(form, 'codeField'),
        parentId: textOrNull(form, 'parentId'),
        version: versionIn(form),
      }),
    },
    replace: { endpoint: v1.place.boundarySet.replace, data: fileIn },
    delete: { endpoint: v1.place.boundarySet.deleteById, then: () => '/boundaries' },
  }))
}

export { clientAction, clientLoader, shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const meta = placeTitle<{ set: { name: string } }>(({ set }) => set.name)

export default function BoundarySet() {
  const { set, svg, findings, uses, areas, others, mayUpdate, mayDelete, geojson } =
    useLoaderData<typeof loader>()
  const parent = others.find(({ id }) => id === set.parentId)?.name ?? nameOfSet(set.parentId ?? '')
  return (
    <Screen
      isStack
      title={set.name}
      crumbs={[{ label: 'Boundaries', to: '/boundaries' }]}
      sub={set.notes}
      actions={
        <>
          <a className="button" href={geojson} download>
            Download as GeoJSON
          </a>
          {mayDelete ? (
            <DeleteButton
              name={set.name}
              text={`Maps that are coloured by it lose their areas. ${uses.length ? `It is used (${formatUseCounts(uses)}). ` : ''}It can be brought back for 30 days.`}
            />
          ) : null}
        </>
      }
      done={{
        save: 'Saved.',
        replace: 'The areas are those of the new file.',
      }}
    >
      <RawSvg svg={svg} className="card boundary-picture" />
      <Facts
        facts={[
          ['Areas', formatNumber(set.areaCount)],
          ['Corners', formatNumber(set.vertexCount)],
          ['Source', set.origin],
          ['Licence', set.licence],
          ['Date of the boundaries', set.vintage],
          ['Version', String(set.edition)],
          ['Last changed', <Moment key="changed" date={set.updatedAt} />],
          ['Visibility', <VisibilityBadge key="visibility" visibility={set.visibility} />],
        ]}
      />
      <FoundList findings={findings} count={set.findingCount} />
      <NestingList nesting={set.nesting} count={set.areaCount} parent={parent} />
      <AreaList areas={areas} count={set.areaCount} />
      <section aria-labelledby="uses" className="stack is-tight">
        <h2 id="uses">Used in</h2>
        <WhereUsed lines={uses} nowhere="Nothing that you see in this organization uses it." />
      </section>
      {mayUpdate ? <Settings /> : null}
    </Screen>
  )
}

/** Metadata of the set, the attributes that name its areas, and the file that replaces them. */
function Settings() {
  const { set, others } = useLoaderData<typeof loader>()
  const [parentId, setParentId] = useState(set.parentId ?? '')
  const none = { value: '', label: 'None: areas are numbered' }
  const option = ({ name, samples }: (typeof set.fields)[number]) => ({
    value: name,
    label: `${name} (${samples.join(', ')})`,
  })
  return (
    <>
      <section aria-labelledby="settings" className="stack">
        <h2 id="settings">Settings</h2>
        <EditForm
          thing={`boundarySet/${set.id}`}
          title={set.name}
          version={set.version}
          names={[...aboutNames, ...originNames, 'nameField', 'codeField', 'parentId']}
          saved={{
            ...{ name: set.name, notes: set.notes, visibility: set.visibility },
            ...{ origin: set.origin, licence: set.licence, vintage: set.vintage },
            ...{
              nameField: set.nameField ?? '',
              codeField: set.codeField ?? '',
              parentId: set.parentId ?? '',
            },
          }}
          save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
          intents={['delete']}
        >
          <SelectField
            label="Names of the areas"
            name="nameField"
            options={[none, ...set.fields.map(option)]}
            hint="Which attribute of the file says what an area is called."
          />
          <SelectField
            label="Codes of the areas"
            name="codeField"
            options={[none, ...set.fields.filter(({ isUnique }) => isUnique).map(option)]}
            hint="Data name areas by their code or their name. Only attributes that no two areas share are offered."
          />
          <SetField
            label="Parts of"
            name="parentId"
            none="No other set"
            whose="own"
            ownSets={others}
            value={parentId}
            onChange={(parent) => setParentId(parent?.id ?? '')}
            hint="A set whose areas these are parts of, as wards are of districts or of the counties that everyone has. Areas that lie in none of them are listed."
          />
          <AboutFields hint="What these areas are for." />
          <OriginFields />
        </EditForm>
      </section>
      <section aria-labelledby="replace" className="stack">
        <h2 id="replace">A new version</h2>
        <p>
          The areas of another file take the place of these. Its attributes have to be called as those that
          are chosen above.
        </p>
        <ShortForm
          encType="multipart/form-data"
          names={fileNames}
          save={{ intent: 'replace', label: 'Replace the areas', doing: 'Reading…' }}
        >
          <FileFields />
        </ShortForm>
      </section>
    </>
  )
}
