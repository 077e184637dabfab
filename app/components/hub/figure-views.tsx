import type { hubTexts } from './texts.ts'

/** The views of a figure: its picture, the `other` one if it has one, its table. The style sheet shows the chosen one. */
export function FigureViews({
  id,
  isMap,
  other,
  w,
}: {
  id: string
  /** Whether its own picture is a map. */
  isMap: boolean
  other: 'map' | 'chart' | undefined
  w: ReturnType<typeof hubTexts>
}) {
  const view = (name: 'picture' | 'map' | 'chart' | 'table', label: string) => (
    <label>
      <input
        type="radio"
        name={`${id}view`}
        data-view={name}
        defaultChecked={name === 'picture'}
        autoComplete="off"
      />
      <span>{label}</span>
    </label>
  )
  return (
    <fieldset className="figure-views">
      <legend className="sr-only">{w.viewAs}</legend>
      {view('picture', isMap ? w.viewMap : w.viewChart)}
      {other ? view(other, other === 'map' ? w.viewMap : w.viewChart) : null}
      {view('table', w.viewTable)}
    </fieldset>
  )
}
