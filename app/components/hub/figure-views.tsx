import type { words } from './words.ts'

/** The ways to see the answer of a figure: its picture or its table, one after the other; the style sheet shows what is chosen. */
export function FigureViews({
  id,
  picture,
  w,
}: {
  id: string
  picture: string
  w: ReturnType<typeof words>
}) {
  const view = (name: 'picture' | 'table', label: string) => (
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
      {view('picture', picture)}
      {view('table', w.viewTable)}
    </fieldset>
  )
}
