import { cssTransition, ToastContainer } from 'react-toastify/unstyled'

const autoCloseMs = 3000

/** "Slide transition 750 ms": the durations stand in the style sheet beside the two animations. */
const slide = cssTransition({ enter: 'toast-enter', exit: 'toast-exit', collapseDuration: 200 })

/** Where short messages appear: bottom left, for three seconds; not while the pointer is on them. */
export default function Messages() {
  return (
    <ToastContainer
      position="bottom-left"
      autoClose={autoCloseMs}
      transition={slide}
      hideProgressBar
      closeButton={false}
      draggable={false}
      icon={false}
      aria-label="Messages"
    />
  )
}
