import { findMisfit } from '#functions/engine/chart/fit.ts'
import { getOtherViews } from '#functions/engine/chart/views.ts'
import { chartTypes } from '#functions/engine/chart/type/index.ts'
import type { Setting } from '#functions/engine/chart/type/type.ts'
import {
  mapSettingNames,
  visualizationTypes,
  type Output,
  type Visualization,
  type VisualizationType,
} from '#functions/shapes/analytics.ts'
import { Clause } from '#app/components/builder/clause.tsx'
import { MapSettings } from './map-settings.tsx'
import { RegionSetField } from './region-set-field.tsx'

export interface ChartClauseProps {
  placeId: string
  /** Null: chosen automatically. */
  visualization: Visualization | null
  /** The effective visualization; null without a result. */
  currentVisualization: Visualization | null
  output: Output | null
  messages: string[]
  onChange(visualization: Visualization | null, tag?: string): void
}

const settingNames: Partial<Record<Setting, string>> = {
  x: 'Along',
  y: 'Measure',
  series: 'Told apart by',
  color: 'Colour',
  size: 'Size',
  label: 'Label',
  geometry: 'Geometry',
  latitude: 'Latitude',
  longitude: 'Longitude',
  region: 'Region',
}

/** The choice of a visualization: suitable types first, then their settings. */
export function ChartClause({
  placeId,
  visualization,
  currentVisualization,
  output,
  messages,
  onChange,
}: ChartClauseProps) {
  const misfits = new Map(
    visualizationTypes.map((type) => [
      type,
      output ? (findMisfit(getInitialVisualization(type, output), output)?.why ?? null) : null,
    ]),
  )
  const types = [...visualizationTypes].sort(
    (a, b) => Number(misfits.get(a) !== null) - Number(misfits.get(b) !== null),
  )
  const current = visualization ?? currentVisualization
  return (
    <Clause title="Chart" messages={messages}>
      <div className="chart-types" role="radiogroup" aria-label="Type of chart">
        <ChartType
          label="Automatic"
          note={
            visualization === null && currentVisualization ? chartTypes[currentVisualization.type].name : ''
          }
          isChosen={visualization === null}
          onChoose={() => onChange(null)}
        />
        {types.map((type) => (
          <ChartType
            key={type}
            label={chartTypes[type].name}
            why={misfits.get(type) ?? null}
            isChosen={visualization?.type === type}
            onChoose={() => onChange(transferSettings(type, visualization, output))}
          />
        ))}
      </div>
      {current && output ? <Settings {...{ placeId, current, output, onChange }} /> : null}
    </Clause>
  )
}

interface ChartTypeProps {
  label: string
  note?: string
  /** Why it does not suit the result. */
  why?: string | null
  isChosen: boolean
  onChoose(): void
}

function ChartType({ label, note = '', why = null, isChosen, onChoose }: ChartTypeProps) {
  return (
    <label className={why === null ? 'chart-type' : 'chart-type is-unfit'} title={why ?? undefined}>
      <input type="radio" name="chart-type" checked={isChosen} onChange={onChoose} />
      <span>
        {label}
        {note ? <small className="muted"> {note}</small> : null}
        {why === null ? null : <span className="sr-only">: {why}</span>}
      </span>
    </label>
  )
}

/** The settings of maps that are no columns of the result. */
const mapPlain: readonly Setting[] = ['boundarySetId', ...mapSettingNames]

/** A type as it is first drawn: a map without points by the column whose field names regions. */
function getInitialVisualization(type: VisualizationType, output: Output): Visualization {
  const needsRegions = type === 'map' && findMisfit({ type }, output) !== null
  return (needsRegions && getOtherViews({ visualization: { type: 'bar' }, output }).map) || { type }
}

/** A type with as many of the previous settings as it supports and the result still has. */
function transferSettings(
  type: VisualizationType,
  before: Visualization | null,
  output: Output | null,
): Visualization {
  const { columns, kind, takesUnit } = chartTypes[type]
  const supportedSettings: Setting[] = [
    ...columns,
    ...(kind === 'map' ? mapPlain : []),
    ...(takesUnit ? (['unit'] as const) : []),
  ]
  const isPlain = (key: string) => key === 'unit' || mapPlain.some((one) => one === key)
  const others = Object.fromEntries(
    Object.entries(before?.settings ?? {}).filter(
      ([key, value]) =>
        supportedSettings.includes(key as Setting) &&
        (isPlain(key) || (output && String(value) in output.schema)),
    ),
  )
  const own = output && !others.latitude ? getInitialVisualization(type, output).settings : {}
  const settings = { ...own, ...others }
  return Object.keys(settings).length ? { type, settings } : { type }
}

interface SettingsProps {
  placeId: string
  current: Visualization
  output: Output
  onChange(visualization: Visualization, tag?: string): void
}

function Settings({ placeId, current, output, onChange }: SettingsProps) {
  const { type } = current
  const { columns: ownColumns, kind, takesUnit, isStackable } = chartTypes[type]
  const settings: Record<string, unknown> = { ...current.settings }
  const changeSetting = (key: Setting, value: string | boolean, tag?: string) => {
    const next = Object.fromEntries(
      Object.entries({ ...settings, [key]: value }).filter(
        ([name, each]) => each !== '' && (each !== false || name === 'labels'),
      ),
    )
    onChange(Object.keys(next).length ? { type, settings: next } : { type }, tag)
  }
  const putMap = (changes: Partial<Record<Setting, unknown>>, tag?: string) => {
    const next = Object.fromEntries(
      Object.entries({ ...settings, ...changes }).filter(([, each]) => each !== undefined),
    )
    onChange(Object.keys(next).length ? { type, settings: next } : { type }, tag)
  }
  const columns = Object.entries(output.schema)
  if (!ownColumns.length && !takesUnit) return null
  return (
    <div className="chart-settings">
      {ownColumns.map((key) => (
        <label key={key} className="field">
          <span className="field-label">{settingNames[key]}</span>
          <select
            value={String(settings[key] ?? '')}
            onChange={(event) => changeSetting(key, event.target.value)}
          >
            <option value="">Automatic</option>
            {columns.map(([alias, { name }]) => (
              <option key={alias} value={alias}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      {kind === 'map' ? (
        <RegionSetField
          value={String(settings.boundarySetId ?? '')}
          onChange={(id) => changeSetting('boundarySetId', id)}
        />
      ) : null}
      {kind === 'map' ? (
        <MapSettings placeId={placeId} settings={current.settings ?? {}} output={output} onChange={putMap} />
      ) : null}
      {takesUnit ? (
        <label className="field">
          <span className="field-label">Unit</span>
          <input
            value={String(settings.unit ?? '')}
            maxLength={200}
            placeholder="As measured"
            onChange={(event) => changeSetting('unit', event.target.value, 'unit')}
          />
        </label>
      ) : null}
      {isStackable ? (
        <label className="choice">
          <input
            type="checkbox"
            checked={settings.stacked === true}
            onChange={(event) => changeSetting('stacked', event.target.checked)}
          />
          Stacked
        </label>
      ) : null}
    </div>
  )
}
