import { escapeHtml } from '#functions/shapes/html-text.ts'
import type { EdgeTexts } from '#functions/shapes/language/edge.ts'
import type { TableState } from './table-state.ts'

/** The choice of an area that the records of a table lie in, and how far the reader has come with it. */
export interface WithinView {
  /** The sets to choose from. */
  sets: { id: string; name: string }[]
  /** What the form has: the set, '' for all of them, and the name or code of the area as it was typed. */
  set: string
  area: string
  /** The name of the area that the records are narrowed to; null: none. */
  chosenName: string | null
  /** Areas to choose from; a set without an area leads to its areas. Empty where there is nothing to choose. */
  choices: { set: string; area: string | null; name: string; note: string }[]
  /** There are more areas than these. */
  isCut: boolean
  /** Names that are suggested while the reader types. */
  suggestions: string[]
  problem: 'noSet' | 'noArea' | null
}

/** The part of the form that chooses an area. `buildHref`: the escaped address of a state of the choice, on the first page. */
export function renderWithinChoice(
  { sets, set, area, choices, isCut, suggestions, problem }: WithinView,
  buildHref: (within: { set: string; area: string | null }) => string,
  { table: { within, problems, apply } }: EdgeTexts,
): string {
  const options = sets.map(
    ({ id, name }) =>
      `<option value="${escapeHtml(id)}"${id === set ? ' selected' : ''}>${escapeHtml(name)}</option>`,
  )
  const value = problem === 'noSet' ? set : area
  const message =
    problem &&
    `<p id="within-problem" class="table-problems" role="alert">${escapeHtml(problems[problem].replace('{value}', () => value))}</p>`
  const faulty = (isFaulty: boolean) =>
    isFaulty ? ' aria-invalid="true" aria-describedby="within-problem"' : ''
  const names = suggestions.map((name) => `<option value="${escapeHtml(name)}">`).join('')
  const isOpen = problem !== null || choices.length > 0
  return `<details class="table-choices"${isOpen ? ' open' : ''}><summary>${escapeHtml(within.title)}</summary><div class="table-filters">
<label for="set">${escapeHtml(within.set)} <select id="set" name="set"${faulty(problem === 'noSet')}><option value="">${escapeHtml(within.any)}</option>${options.join('')}</select></label>
<label for="area">${escapeHtml(within.area)} <input id="area" name="area" type="text" value="${escapeHtml(area)}" maxlength="200" autocomplete="off"${names && ' list="areas"'}${faulty(problem === 'noArea')}></label>${names && `<datalist id="areas">${names}</datalist>`}</div>${message ?? ''}${renderChoices(choices, isCut, buildHref, within)}
<button class="button" type="submit">${escapeHtml(apply)}</button></details>`
}

function renderChoices(
  choices: WithinView['choices'],
  isCut: boolean,
  buildHref: (within: { set: string; area: string | null }) => string,
  words: EdgeTexts['table']['within'],
): string {
  if (choices.length === 0) return ''
  const items = choices.map(({ set, area, name, note }) => {
    const more = note ? ` <span class="muted"><bdi>${escapeHtml(note)}</bdi></span>` : ''
    return `<li><a rel="nofollow" href="${buildHref({ set, area })}"><bdi>${escapeHtml(name)}</bdi></a>${more}</li>`
  })
  const cut = isCut
    ? `<p class="muted">${escapeHtml(words.more.replace('{n}', () => String(choices.length)))}</p>`
    : ''
  return `<p id="within-choose">${escapeHtml(words.choose)}</p><ul class="table-areas" aria-labelledby="within-choose">${items.join('')}</ul>${cut}`
}

/** The parameters of a choice without its area, beside those of a state. */
export function withSet(params: URLSearchParams, { set, area }: { set: string; area: string | null }) {
  const next = new URLSearchParams(params)
  next.delete('area')
  next.set('set', set)
  if (area !== null) next.set('area', area)
  return next
}

/** The condition as text; null without one. */
export function formatWithin(
  { within }: Pick<TableState, 'within'>,
  view: WithinView | undefined,
  { table }: EdgeTexts,
): string | null {
  if (!within) return null
  return table.within.is.replace('{name}', () => view?.chosenName ?? within.area)
}
