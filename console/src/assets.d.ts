/** Style sheets; the bundler collects them into one file. */
declare module '*.css';
