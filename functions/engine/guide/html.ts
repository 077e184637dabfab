import { escapeHtml } from '#functions/shapes/html-text.ts'
import { exportFiles } from '#functions/shapes/export-format.ts'
import type { GuideTexts, ToolGuide } from '#functions/shapes/language/guide.ts'
import {
  fileAddress,
  fileFormats,
  programExample,
  programs,
  recordsAddress,
  toolExample,
  tools,
  type GuideSource,
  type GuideTool,
  type Program,
} from './examples.ts'

/** Further texts of the page: those of the copy button. */
interface GuideReading {
  words: GuideTexts
  copy: string
  copied: string
  /** The address of the reference of the API. */
  reference: string
}

const labels: Record<Program | GuideTool, string> = {
  curl: 'curl',
  python: 'Python',
  r: 'R',
  javascript: 'JavaScript',
  excel: 'Excel',
  sheets: 'Google Sheets',
  powerbi: 'Power BI',
  tableau: 'Tableau',
  arcgis: 'ArcGIS',
  qgis: 'QGIS',
}

/**
 * The guide for using a source in programs and tools, with a form that queries its records, as HTML. Complete without
 * scripts.
 */
export function guideHtml(source: GuideSource, reading: GuideReading): string {
  const { words } = reading
  const section = (id: string, title: string, text: string) =>
    `<section class="guide" aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2><p class="muted">${escapeHtml(text)}</p>`
  return `<p class="lede">${escapeHtml(words.intro)}</p>
<nav class="guide-nav" aria-label="${escapeHtml(words.tools)}"><ul>${[...programs, ...tools]
    .map((name) => `<li><a href="#${name}">${labels[name]}</a></li>`)
    .join('')}</ul></nav>
${section('programs', words.programs, words.programsText)}${programs.map((program) => renderProgram(program, source, reading)).join('')}
<p><a href="${escapeHtml(reading.reference)}">${escapeHtml(words.reference)}</a></p></section>
${section('console', words.console, words.consoleText)}${renderConsole(source, words)}</section>
${section('tools', words.tools, words.menus)}${tools.map((tool) => renderTool(tool, source, reading)).join('')}</section>
${section('formats', words.formats, words.formatsText)}<ul class="table-files">${fileFormats(source)
    .map(
      (format) =>
        `<li><a href="${escapeHtml(getPath(fileAddress(source, format)))}" rel="nofollow" download>${escapeHtml(exportFiles[format].label)}</a></li>`,
    )
    .join('')}</ul></section>`
}

const getPath = (address: string) => address.replace(/^https?:\/\/[^/]+/, '')

/** A text with the button that copies it, which only a script shows. */
function copyBox(text: string, label: string, { copy, copied }: GuideReading): string {
  return `<div class="guide-code" data-copy><pre tabindex="0" dir="ltr"><code>${escapeHtml(text)}</code></pre><button type="button" class="button" data-copied="${escapeHtml(copied)}" aria-label="${escapeHtml(`${copy}: ${label}`)}" hidden>${escapeHtml(copy)}</button></div>`
}

function renderProgram(program: Program, source: GuideSource, reading: GuideReading): string {
  const { words } = reading
  const note = program === 'javascript' ? '' : `<p class="muted">${escapeHtml(words[program])}</p>`
  return `<h3 id="${program}">${labels[program]}</h3>${note}${copyBox(programExample(program, source), labels[program], reading)}`
}

function renderTool(tool: GuideTool, source: GuideSource, reading: GuideReading): string {
  const { steps, refresh } = getToolGuide(tool, source, reading.words)
  return `<h3 id="${tool}">${labels[tool]}</h3><ol class="guide-steps">${steps
    .map((step) => `<li>${escapeHtml(step)}</li>`)
    .join(
      '',
    )}</ol>${copyBox(toolExample(tool, source), labels[tool], reading)}<p class="muted">${escapeHtml(refresh)}</p>`
}

function getToolGuide(tool: GuideTool, { hasShapes }: GuideSource, words: GuideTexts): ToolGuide {
  if (hasShapes || (tool !== 'arcgis' && tool !== 'qgis')) return words[tool]
  return tool === 'arcgis' ? words.arcgisTable : words.qgisTable
}

/** A form whose result is the response of the API itself; a script shows it below the form. */
function renderConsole(source: GuideSource, words: GuideTexts): string {
  const { limit, search, run, answer, failedAnswer, unreachable } = words
  return `<form class="guide-console" method="get" action="${escapeHtml(getPath(recordsAddress(source)))}" data-console data-answer="${escapeHtml(answer)}" data-refused="${escapeHtml(failedAnswer)}" data-unreachable="${escapeHtml(unreachable)}">
<label>${escapeHtml(search)}<input type="search" name="search" maxlength="200" autocomplete="off"></label>
<label>${escapeHtml(limit)}<input type="number" name="limit" min="1" max="1000" value="5" required></label>
<button type="submit" class="button is-primary">${escapeHtml(run)}</button>
</form><p role="status" data-console-status></p><pre tabindex="0" dir="ltr" data-console-answer hidden></pre>`
}
