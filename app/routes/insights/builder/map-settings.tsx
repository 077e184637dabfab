import { useState } from 'react'
import { PerField } from './per-field.tsx'
import { paletteToken } from '#functions/engine/map/palettes.ts'
import {
  classCounts,
  classMethods,
  mapPalettes,
  maxPopupColumns,
  zoomLevels,
  type ClassMethod,
  type MapClasses,
  type MapPalette,
  type Output,
  type Visualization,
} from '#functions/shapes/analytics.ts'

type Settings = NonNullable<Visualization['settings']>

interface MapSettingsProps {
  placeId: string
  settings: Settings
  output: Output
  /** Undefined removes a setting. Changes with the same `tag` are merged into one undo step. */
  onChange(changes: Partial<Record<keyof Settings, unknown>>, tag?: string): void
}

const methodNames: Record<ClassMethod, string> = {
  quantile: 'As many regions in each (quantiles)',
  equal: 'Equal widths',
  natural: 'Gaps in the values (natural)',
  own: 'Own bounds',
}
const paletteNames: Record<MapPalette, string> = {
  blue: 'Blue',
  orange: 'Orange',
  green: 'Green',
  'blue-orange': 'Blue to orange',
  'purple-green': 'Purple to green',
}
const counts = Array.from(
  { length: classCounts.most - classCounts.least + 1 },
  (_none, i) => i + classCounts.least,
)

/** The settings of a map: classes and colours of regions or size of circles, labels, pop-ups, zoom range. */
export function MapSettings({ placeId, settings, output, onChange }: MapSettingsProps) {
  return (
    <>
      {settings.region ? (
        <>
          <PerField
            {...{ placeId }}
            per={settings.per}
            setId={settings.boundarySetId ?? ''}
            onChange={(per, tag) => onChange({ per }, tag)}
          />
          <ClassFields classes={settings.classes} onChange={(classes, tag) => onChange({ classes }, tag)} />
          <PaletteField palette={settings.palette ?? 'blue'} onChange={(palette) => onChange({ palette })} />
        </>
      ) : settings.size ? (
        <label className="choice">
          <input
            type="checkbox"
            checked={settings.sizeByValue === true}
            onChange={(event) => onChange({ sizeByValue: event.target.checked || undefined })}
          />
          A circle for each point, as large as its value
        </label>
      ) : null}
      {settings.region ? null : (
        <label className="choice">
          <input
            type="checkbox"
            checked={settings.clusterByRegion === true}
            disabled={!settings.boundarySetId}
            aria-describedby="by-region-hint"
            onChange={(event) => onChange({ clusterByRegion: event.target.checked || undefined })}
          />
          <span>
            A circle for each region, with how many points lie there
            <span id="by-region-hint" className="field-hint">
              {settings.boundarySetId
                ? 'All points of the answer are counted: where a limit leaves some out, the map keeps its points.'
                : 'Choose the regions first.'}
            </span>
          </span>
        </label>
      )}
      <label className="field">
        <span className="field-label">Names on the map</span>
        <select
          value={settings.labels === undefined ? '' : String(settings.labels)}
          onChange={({ target }) =>
            onChange({ labels: target.value === '' ? undefined : target.value === 'true' })
          }
        >
          <option value="">On the live map</option>
          <option value="true">Also in the picture</option>
          <option value="false">None</option>
        </select>
      </label>
      <PopupField popup={settings.popup ?? []} output={output} onChange={(popup) => onChange({ popup })} />
      <ZoomFields zoom={settings.zoom ?? {}} onChange={(zoom) => onChange({ zoom }, 'zoom')} />
    </>
  )
}

interface ClassFieldsProps {
  classes: MapClasses | undefined
  onChange(classes: MapClasses | undefined, tag?: string): void
}

function ClassFields({ classes, onChange }: ClassFieldsProps) {
  // Own classes need bounds: until then the map is unchanged.
  const [isOwn, setOwn] = useState(classes?.by === 'own')
  const by = isOwn || classes?.by === 'own' ? 'own' : (classes?.by ?? '')
  const choose = (value: string) => {
    const next = classMethods.find((method) => method === value)
    setOwn(next === 'own')
    if (next === 'own') return
    const count = classes?.count
    onChange(next && { by: next, ...(count === undefined ? {} : { count }) })
  }
  return (
    <>
      <label className="field">
        <span className="field-label">Classes</span>
        <select value={by} onChange={(event) => choose(event.target.value)}>
          <option value="">Automatic</option>
          {classMethods.map((method) => (
            <option key={method} value={method}>
              {methodNames[method]}
            </option>
          ))}
        </select>
      </label>
      {by === 'own' ? (
        <BoundsField
          bounds={classes?.bounds ?? []}
          onChange={(bounds) =>
            onChange(bounds.length > 0 ? { by: 'own', bounds } : undefined, 'classes.bounds')
          }
        />
      ) : by === '' ? null : (
        <label className="field">
          <span className="field-label">How many</span>
          <select
            value={String(classes?.count ?? '')}
            onChange={({ target }) =>
              onChange({ by, ...(target.value === '' ? {} : { count: Number(target.value) }) })
            }
          >
            <option value="">Automatic</option>
            {counts.map((count) => (
              <option key={count}>{count}</option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}

/** Parses numbers separated by spaces, commas or semicolons; invalid ones are left for the query to reject. */
export function boundsIn(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(Number)
    .filter((value) => !Number.isNaN(value))
}

function BoundsField({ bounds, onChange }: { bounds: number[]; onChange(bounds: number[]): void }) {
  const [text, setText] = useState(bounds.join(' '))
  // After undo or redo the bounds differ from the typed text.
  const inputText = isSame(boundsIn(text), bounds) ? text : bounds.join(' ')
  return (
    <label className="field">
      <span className="field-label">Where classes begin</span>
      <input
        value={inputText}
        inputMode="text"
        placeholder="1000 2500 5000"
        aria-describedby="bounds-hint"
        onChange={({ target }) => {
          setText(target.value)
          onChange(boundsIn(target.value))
        }}
      />
      <span id="bounds-hint" className="field-hint">
        Two to six numbers of the answer, the least first: 0.35 for 35 %.
      </span>
    </label>
  )
}

const isSame = (a: number[], b: number[]) => a.length === b.length && a.every((value, i) => value === b[i])

function PaletteField({ palette, onChange }: { palette: MapPalette; onChange(palette: MapPalette): void }) {
  return (
    <fieldset className="field palettes">
      <legend className="field-label">Colours</legend>
      {mapPalettes.map((name) => (
        <label key={name} className="choice">
          <input type="radio" name="palette" checked={palette === name} onChange={() => onChange(name)} />
          <svg width="70" height="14" aria-hidden="true">
            {[0, 1, 2, 3, 4].map((at) => (
              <rect key={at} x={at * 14} width="14" height="14" fill={`var(${paletteToken(name, at, 5)})`} />
            ))}
          </svg>
          {paletteNames[name]}
        </label>
      ))}
    </fieldset>
  )
}

interface PopupFieldProps {
  popup: string[]
  output: Output
  onChange(popup: string[] | undefined): void
}

function PopupField({ popup, output, onChange }: PopupFieldProps) {
  const isFull = popup.length >= maxPopupColumns
  return (
    <fieldset className="field">
      <legend className="field-label">A pop-up also says</legend>
      <p className="field-hint">On the live map, when someone touches a place.</p>
      {Object.entries(output.schema).map(([alias, { name }]) => {
        const isChosen = popup.includes(alias)
        const next = isChosen ? popup.filter((each) => each !== alias) : [...popup, alias]
        return (
          <label key={alias} className="choice">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isFull && !isChosen}
              onChange={() => onChange(next.length > 0 ? next : undefined)}
            />
            {name}
          </label>
        )
      })}
    </fieldset>
  )
}

type Zoom = NonNullable<Settings['zoom']>

function ZoomFields({ zoom, onChange }: { zoom: Zoom; onChange(zoom: Zoom | undefined): void }) {
  const changeZoom = (key: keyof Zoom, text: string) => {
    const { [key]: _before, ...other } = zoom
    const next = text === '' ? other : { ...other, [key]: Number(text) }
    onChange(Object.keys(next).length > 0 ? next : undefined)
  }
  const field = (key: keyof Zoom, label: string) => (
    <label className="field">
      <span className="field-label">{label}</span>
      <input
        type="number"
        min={zoomLevels.least}
        max={zoomLevels.most}
        step="0.5"
        value={zoom[key] ?? ''}
        onChange={(event) => changeZoom(key, event.target.value)}
      />
    </label>
  )
  return (
    <>
      {field('least', 'Zooms out to (0 is the earth)')}
      {field('most', 'Zooms in to (20 is a house)')}
    </>
  )
}
