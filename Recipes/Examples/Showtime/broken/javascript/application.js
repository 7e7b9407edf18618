import { draw } from "./draw.js";
fetch("data/shows.json").then(draw);
