/** How a window is opened. */
export interface Look {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  hasScripts?: boolean
}

export const wholeLook = (look: Look): Required<Look> => ({
  width: 1280,
  height: 900,
  scheme: 'light',
  hasScripts: true,
  ...look,
})

/** Keys that have a name; others are typed. */
export type Key = 'Enter' | 'Tab' | 'Escape' | 'ArrowDown' | 'ArrowRight' | 'End'

/** What each engine does in its own way. What a person does is made of it, once for all: `window.ts`. */
export interface Driver {
  /** Ends when the page and its files are loaded. */
  goto(address: string): Promise<void>
  back(): Promise<void>
  /** Runs a function in the page, also where its own scripts may not run; gives what it gives, as JSON has it. */
  evaluate<Values extends unknown[], Result>(
    run: (...values: Values) => Result | Promise<Result>,
    ...values: Values
  ): Promise<Result>
  /** Moves the pointer there, CSS pixels from the upper left of the window; presses it when `isPressed`. */
  pointer(x: number, y: number, isPressed: boolean): Promise<void>
  /** Types into what has the focus. */
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** What the window shows, as PNG. */
  picture(): Promise<Buffer>
  /** The page as it is printed; null where the engine has no way to. */
  pdf(): Promise<Buffer | null>
  /** What pages complained of so far: errors of their scripts and of their policies. */
  complaints(): string[]
  close(): Promise<void>
}

export type EngineName = 'chromium' | 'firefox' | 'webkit'

/** A browser. It starts what it needs at the first window, and ends it all with `close`. */
export interface Engine {
  name: EngineName
  open(look: Required<Look>): Promise<Driver>
  close(): Promise<void>
}
