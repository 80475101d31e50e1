/** Both worklets in one file for the widget, which pages of other origins load. */
import '../web-call/capture-worklet.ts';
import '../web-call/playback-worklet.ts';
