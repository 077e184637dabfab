import type { CSSProperties } from 'react'
import { checkContrast, type Check } from './contrast.ts'
import { surfaces, themeColours, type Theme } from '#app/theme/colour.ts'

const names: Record<Theme, string> = { light: 'Light', dark: 'Dark' }

/** The place's colour in both themes, with the contrast of each use. */
export function ThemePreview({ colour }: { colour: string }) {
  return (
    <div className="theme-previews">
      {(['light', 'dark'] as const).map((theme) => (
        <Preview key={theme} colour={colour} theme={theme} />
      ))}
    </div>
  )
}

function Preview({ colour, theme }: { colour: string; theme: Theme }) {
  const colours = themeColours(colour, theme)
  const [surface, card] = surfaces[theme]
  const style = {
    ...{ '--shown-surface': surface, '--shown-raised': card },
    ...{ '--shown-text': theme === 'light' ? '#26252e' : '#ffffff' },
    ...{ '--shown-primary': colours.primary, '--shown-on-decoration': colours.onDecoration },
    ...{ '--shown-secondary': colours.secondary },
    ...{
      '--shown-link': colours.primaryText,
      '--shown-ui': colours.primaryUi,
      '--shown-on': colours.onPrimary,
    },
  } as CSSProperties
  return (
    <section className="theme-preview" style={style} aria-label={`${names[theme]} theme`}>
      <p className="theme-band">
        <span>{names[theme]}</span>
      </p>
      <div className="theme-body">
        <p>
          Text with <span className="theme-link">a link</span> in it
        </p>
        <p className="row">
          <span className="theme-button">A button</span>
          <span className="theme-outline">Chosen</span>
        </p>
        <ul className="theme-checks">
          {checkContrast(colour, theme).map((check) => (
            <Line key={check.name} check={check} />
          ))}
        </ul>
      </div>
    </section>
  )
}

function Line({ check: { name, ratio, required, isMoved } }: { check: Check }) {
  return (
    <li>
      <span aria-hidden="true">{ratio >= required ? '✓' : '✗'}</span> {name}: {ratio.toFixed(1)} of {required}
      {isMoved ? ', in a shade that can be read' : ''}
    </li>
  )
}
