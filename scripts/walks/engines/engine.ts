/** The options of a window. */
export interface WindowOptions {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  hasScripts?: boolean
}

export const applyDefaultOptions = (look: WindowOptions): Required<WindowOptions> => ({
  width: 1280,
  height: 900,
  scheme: 'light',
  hasScripts: true,
  ...look,
})

/** Keys with a name; other characters are typed. */
export type Key = 'Enter' | 'Tab' | 'Escape' | 'ArrowDown' | 'ArrowRight' | 'End'

/** What each engine implements in its own way. A person's actions are built from it in `window.ts`. */
export interface Driver {
  /** Resolves when the page and its files are loaded. */
  goto(address: string): Promise<void>
  back(): Promise<void>
  /**
   * Runs a function in the page, even where the page's own scripts are disabled; returns its result as JSON.
   */
  evaluate<Values extends unknown[], Result>(
    run: (...values: Values) => Result | Promise<Result>,
    ...values: Values
  ): Promise<Result>
  /**
   * Moves the pointer to a position, in CSS pixels from the top left of the window; presses and releases it
   * when `isPressed`.
   */
  pointer(x: number, y: number, isPressed: boolean): Promise<void>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** Takes a screenshot of the window as PNG. */
  picture(): Promise<Buffer>
  /** Prints the page to PDF; null where the engine cannot. */
  pdf(): Promise<Buffer | null>
  /** The errors of scripts and of content security policies that pages reported so far. */
  complaints(): string[]
  close(): Promise<void>
}

export type EngineName = 'chromium' | 'firefox' | 'webkit'

/** A browser. It starts its processes with the first window, and ends them all with `close`. */
export interface Engine {
  name: EngineName
  open(look: Required<WindowOptions>): Promise<Driver>
  close(): Promise<void>
}
